package io.meshhost.apply;

import io.meshhost.declaration.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/** The order of carrying out: as declared, but nothing before what its {@code after} and {@code restart_on} name. */
final class Order {
    private Order() {}

    /** Ids that the resource waits for. */
    static Set<String> needs(Resource resource) {
        if (free(resource)) {
            return Set.of();
        }
        Set<String> needs = new HashSet<>(resource.head().after());
        needs.addAll(resource.head().restartOn());
        return needs;
    }

    private static boolean free(Resource resource) {
        return resource.head().after().isEmpty() && resource.head().restartOn().isEmpty();
    }

    /**
     * Of all that may go next, always the one declared first: the order moves only as far as it must, and the
     * same declaration gives the same order.
     */
    static List<Resource> of(List<Resource> declared) {
        if (declared.stream().allMatch(Order::free)) {
            return declared;
        }
        Map<String, Integer> index = new HashMap<>();
        for (int i = 0; i < declared.size(); i++) {
            index.put(declared.get(i).id(), i);
        }
        int[] open = new int[declared.size()];
        Map<Integer, List<Integer>> waiting = waiting(declared, index, open);
        PriorityQueue<Integer> ready = new PriorityQueue<>();
        for (int i = 0; i < open.length; i++) {
            if (open[i] == 0) {
                ready.add(i);
            }
        }
        List<Resource> order = new ArrayList<>(declared.size());
        for (Integer next = ready.poll(); next != null; next = ready.poll()) {
            order.add(declared.get(next));
            for (int freed : waiting.getOrDefault(next, List.of())) {
                if (--open[freed] == 0) {
                    ready.add(freed);
                }
            }
        }
        if (order.size() != declared.size()) {
            throw new IllegalArgumentException("the declaration has a cycle, which its validation refuses");
        }
        return order;
    }

    private static Map<Integer, List<Integer>> waiting(
            List<Resource> declared, Map<String, Integer> index, int[] open) {
        Map<Integer, List<Integer>> waiting = new HashMap<>();
        for (int i = 0; i < declared.size(); i++) {
            for (String need : needs(declared.get(i))) {
                Integer first = index.get(need);
                if (first != null) {
                    waiting.computeIfAbsent(first, key -> new ArrayList<>()).add(i);
                    open[i]++;
                }
            }
        }
        return waiting;
    }
}
