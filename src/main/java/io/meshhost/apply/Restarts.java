package io.meshhost.apply;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who must be restarted because of whom: a debt is written down together with the change that caused it,
 * and stays until it is paid, so that a power cut between the two loses no restart.
 */
final class Restarts {
    private final Map<String, Set<String>> dependents = new HashMap<>();
    private final Set<String> owing;

    /**
     * @param owing ids that owed a restart before this apply
     */
    Restarts(List<Item> items, Set<String> owing) {
        this.owing = new HashSet<>(owing);
        for (Item item : items) {
            // What stays unchanged although a cause changes (a file, a stopped unit) has nothing to restart.
            if (item instanceof Item.Declared declared
                    && (item.work() || declared.blocked() || item.change().action() == Action.FAILED)) {
                for (String cause : declared.resource().head().restartOn()) {
                    dependents.computeIfAbsent(cause, id -> new TreeSet<>()).add(item.id());
                }
            }
        }
    }

    /** What is owed once these have changed. */
    Map<String, Set<String>> causedBy(Collection<String> changed) {
        Map<String, Set<String>> owed = new HashMap<>();
        for (String cause : changed) {
            for (String id : dependents.getOrDefault(cause, Set.of())) {
                owed.computeIfAbsent(id, key -> new TreeSet<>()).add(cause);
            }
        }
        owing.addAll(owed.keySet());
        return owed;
    }

    /** Which of these owed a restart and owe it no longer now that they are in place. */
    Set<String> paidBy(Collection<String> inPlace) {
        Set<String> paid = new HashSet<>(inPlace);
        paid.retainAll(owing);
        owing.removeAll(paid);
        return paid;
    }
}
