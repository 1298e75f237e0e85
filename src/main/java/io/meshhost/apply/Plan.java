package io.meshhost.apply;

import java.util.List;
import java.util.OptionalLong;

/**
 * What an apply would do, resource by resource, in the order of carrying out.
 *
 * @param changes those of declared resources first, then what is no longer declared; only something that
 *     stands in the way of a declared resource is taken away before it
 * @param notes said once for the whole plan
 */
public record Plan(String node, OptionalLong serial, List<Change> changes, List<String> notes) {
    /** How many resources would be changed ({@code plan --exit-code}). */
    public long pending() {
        return changes.stream().filter(change -> change.action().changes()).count();
    }
}
