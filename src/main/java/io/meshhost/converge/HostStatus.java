package io.meshhost.converge;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.meshhost.apply.Outcome;
import io.meshhost.declaration.Fault;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the host is: what {@code /v1/status} answers and {@code status} prints. Times are ISO 8601 in UTC; values of
 * {@code env} are nowhere in it.
 *
 * @param state one of {@link State}, in lower case
 * @param ready whether the first reconcile has been completed, whichever way
 * @param since when the daemon was started
 * @param stateSince since when the state is what it is
 * @param supervisor who keeps the processes: "systemd" or "built-in"
 * @param work what it is doing now; null: it waits
 * @param last the last reconcile that ended; null: none has yet
 * @param drift the last time something had changed by itself and was mended; null: never since the start
 * @param reconciles how many have ended
 * @param complaints what is wrong with the settings, a sentence each
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HostStatus(
        String state,
        boolean ready,
        String node,
        String version,
        long pid,
        String since,
        String stateSince,
        String supervisor,
        Declared declaration,
        @Nullable Work work,
        @Nullable Last last,
        @Nullable Drift drift,
        long reconciles,
        List<String> complaints) {

    /** Is it well? */
    public enum State {
        /** The first reconcile has not ended. */
        STARTING,
        /** The machine is as declared. */
        WELL,
        /** Something declared could not be done. */
        FAILED,
        /** The declaration is missing, unreadable or wrong; the machine is kept as it was last declared, or left. */
        REFUSED,
        STOPPING;

        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * @param file where it is, or where one is looked for
     * @param refused why the one that is there is not applied; null: it is
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Declared(
            String file, @Nullable Long serial, @Nullable String refused, List<Fault> faults, boolean beingWritten) {}

    /**
     * @param what the step in hand, as "unpacking /srv/app"
     * @param done bytes or entries
     * @param total the same unit, -1 when unknown
     */
    public record Work(List<String> why, String since, String what, long done, long total) {}

    /**
     * @param why what set it off
     * @param at when it ended
     * @param error why it did not take place; null: it did
     * @param changed outcomes that changed something
     * @param failed outcomes that failed, and what was skipped because of them is not among them
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Last(
            List<String> why,
            String at,
            long millis,
            boolean ok,
            @Nullable String error,
            Map<String, Integer> summary,
            List<Outcome> changed,
            List<Outcome> failed,
            List<String> notes) {}

    /** Drift: what somebody else had changed. */
    public record Drift(String at, List<Outcome> mended) {}
}
