package io.meshhost.declaration;

import java.util.Set;

/**
 * What every resource has.
 *
 * @param id full: {@code slug/id}
 * @param after full ids that must be in place first
 * @param restartOn full ids whose change restarts this one
 */
public record Head(String id, Set<String> after, Set<String> restartOn) {
    public Head {
        // Most have neither, and ten thousand empty sets of somebody's making are megabytes.
        after = after.isEmpty() ? Set.of() : after;
        restartOn = restartOn.isEmpty() ? Set.of() : restartOn;
    }

    public String slug() {
        return id.substring(0, id.indexOf('/'));
    }
}
