package io.meshhost.machine.services;

import io.meshhost.machine.Commands;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The machine's supervisor: systemd where it is PID 1, else the built-in one. Both speak of units by
 * the same names: {@code NAME.service}, and {@code NAME.timer} for a scheduled process.
 *
 * <p>Each method that changes something is repeatable: starting what runs, stopping what is stopped
 * and disabling what is gone all succeed. Failures are {@code MachineFailure}s in systemd's words.
 */
public interface Services {
    /** "systemd" or "built-in", for people. */
    String name();

    /**
     * Whether a start takes effect now. False for a one-shot apply with the built-in supervisor: it
     * installs, and the process starts with the host.
     */
    boolean live();

    /** Pure: the files that describe the process, in the order to write them; the unit first. */
    List<UnitFile> files(ProcessSpec spec);

    /** Every file that {@code files} could ever have made for the name, whatever it was then. */
    List<Path> filesOf(String name);

    /** One batch for all; what is not there is {@link ServiceState#absent}. The daemon is not asked for an empty collection. */
    Map<String, ServiceState> states(Collection<String> units);

    /**
     * A unit of that name, anywhere on the search path, that the host did not write (no header of
     * ours): it is refused and never overridden.
     */
    Optional<Path> foreign(String name);

    /**
     * daemon-reload: asked once per apply after unit files were written or removed. A timer whose file changes is
     * stopped before this: one that is active counts from its last run, and one counted into the past starts at once.
     */
    void reload();

    /** A timer of ours that is started counts from now: nothing that it missed is made up for. */
    void start(String unit);

    void stop(String unit);

    void restart(String unit);

    void enable(String unit);

    /** Both {@code disable} and {@code disable --runtime}: no link is left either way. */
    void disable(String unit);

    /** reset-failed: no trace of a removed unit stays in the list of failed ones. */
    void forget(String unit);

    /**
     * Reads back what the supervisor understood of an installed process and names each difference
     * (an assignment dropped, a word changed); empty is well. Asked after {@link #reload}.
     */
    List<String> misunderstood(ProcessSpec spec);

    /**
     * Runs a step to its end with the user, environment, directory, limits and sandbox of a daemon of the
     * same fields.
     */
    StepResult runStep(ProcessSpec spec, Duration timeout);

    /** The last lines (50 at most) of what a service printed, newest last; empty where unknown. */
    List<String> lastLines(String unit);

    /**
     * @param sensitive root-only 0600, its content never shown
     */
    record UnitFile(Path path, String content, boolean sensitive) {}

    /**
     * @param lastLines 50 at most, newest last
     * @param status as {@link Commands.Result#status()}
     */
    record StepResult(int status, boolean timedOut, List<String> lastLines) {
        public boolean ok() {
            return status == 0 && !timedOut;
        }
    }
}
