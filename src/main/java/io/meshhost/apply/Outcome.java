package io.meshhost.apply;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What became of one resource.
 *
 * @param error only where the action is failed
 * @param millis how long it took
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Outcome(
        String id,
        String type,
        String action,
        String detail,
        @Nullable String error,
        long millis) {}
