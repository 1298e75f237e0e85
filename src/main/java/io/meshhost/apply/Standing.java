package io.meshhost.apply;

import io.meshhost.declaration.Resource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which resources stand in the way of others: planning and carrying out ask the same one, so that both
 * skip the same. Confined to one thread.
 */
final class Standing {
    private final Map<String, String> notInPlace = new HashMap<>();
    private final Map<String, String> failedSteps = new HashMap<>();
    private final Set<String> troubled = new HashSet<>();

    /** Why the resource must be left alone, or empty. */
    Optional<String> blocks(Resource resource) {
        String step = failedSteps.get(resource.head().slug());
        if (step != null) {
            return Optional.of("not done: it comes after " + step + ", which failed");
        }
        if (notInPlace.isEmpty()) {
            return Optional.empty();
        }
        return Order.needs(resource).stream()
                .sorted()
                .filter(notInPlace::containsKey)
                .findFirst()
                .map(need -> "not done: it needs " + need + ", which " + notInPlace.get(need));
    }

    void failed(Resource resource) {
        notInPlace.put(resource.id(), "failed");
        troubled.add(resource.head().slug());
        if (resource instanceof Resource.ProcessResource process && process.runOnce()) {
            failedSteps.putIfAbsent(resource.head().slug(), resource.id());
        }
    }

    /** Skipped because of another: what depends on it waits too, and its module is not whole. */
    void blocked(Resource resource) {
        notInPlace.put(resource.id(), "was not done");
        troubled.add(resource.head().slug());
    }

    /** Whether something of that module is not in place, so that nothing of it may be taken away. */
    boolean troubled(String slug) {
        return troubled.contains(slug);
    }
}
