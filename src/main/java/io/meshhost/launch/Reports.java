package io.meshhost.launch;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.ProcessTable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Tells the world how the supervisor is: its log, {@code supervisor.json}, systemd. Nothing here can stop it. */
final class Reports {
    static final int KILL = 9;

    private final Means means;
    private final Ledger ledger;
    private final ProcessTable processes = new ProcessTable(Path.of("/proc"));
    /** By what went wrong, so that it is taken back when that goes well again. */
    private final Map<String, String> troubles = new LinkedHashMap<>();

    private final Outlook outlook;
    private List<String> notes = List.of();
    private Optional<String> socket = Optional.empty();
    private Optional<String> lastFailure = Optional.empty();
    private boolean moved = true;
    private boolean ready;
    private OptionalLong barked = OptionalLong.empty();
    private String stateWord = "";
    private Instant since;
    private volatile String text = "";

    Reports(Means means, Ledger ledger) {
        this.means = means;
        this.ledger = ledger;
        this.since = means.clock().instant();
        this.outlook = new Outlook(ledger.choosing(means.limits().starts()), means.limits());
    }

    ProcessTable processes() {
        return processes;
    }

    Optional<String> socket() {
        return socket;
    }

    void socket(Optional<String> path) {
        socket = path;
    }

    /** What the status page says, as JSON; from any thread. */
    String text() {
        return text;
    }

    /** Something is wrong around the supervisor for good: said once, and kept for the status. */
    void trouble(String sentence) {
        trouble(sentence, sentence);
    }

    private void trouble(String what, String sentence) {
        if (!sentence.equals(troubles.put(what, sentence))) {
            means.say().accept(sentence);
            moved = true;
        }
    }

    /** What was wrong with the files at the last turn. */
    void notes(List<String> now) {
        now.stream().filter(note -> !notes.contains(note)).forEach(means.say());
        notes = now;
    }

    /** What was in trouble is not any more. */
    void settled(String what) {
        moved |= troubles.remove(what) != null;
    }

    /**
     * Whether the disk took it; when not, the status says so until it does.
     *
     * @param what it means when it does not
     */
    boolean guarded(String what, Runnable write) {
        try {
            write.run();
            settled(what);
            return true;
        } catch (MachineFailure failure) {
            trouble(what, what + ": " + failure.sentence());
            return false;
        }
    }

    /** While the loop waits for something else than its queue. */
    void alive() {
        OptionalLong due = watchdogDue();
        if (due.isPresent() && (barked.isEmpty() || means.ticker().nanos() >= due.getAsLong())) {
            bark();
        }
    }

    private void bark() {
        means.systemd().tell("WATCHDOG=1");
        barked = OptionalLong.of(means.ticker().nanos());
    }

    void moved() {
        moved = true;
    }

    void failed(String sentence) {
        means.say().accept(sentence);
        lastFailure = Optional.of(at(means.clock().instant()) + ": " + sentence);
    }

    OptionalLong watchdogDue() {
        return means.systemd().watchdog().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(barked.orElse(means.ticker().nanos()) + half());
    }

    private long half() {
        return means.systemd().watchdog().map(Duration::toNanos).orElse(0L) / 2;
    }

    /** Writes and tells what has changed; the watchdog is told in any case, when its time has come. */
    void publish(Now now) {
        if (!moved) {
            alive();
            return;
        }
        SupervisorStatus status = written(now);
        if (moved) {
            // Whether it stands on disk is a part of it.
            status = written(now);
            moved = false;
        }
        tell(now.state(), status);
    }

    private SupervisorStatus written(Now now) {
        moved = false;
        SupervisorStatus status = status(now);
        text = status.json();
        guarded("this status stands in memory only", () -> ledger.state().write(StateDir.SUPERVISOR, text));
        return status;
    }

    private void tell(State state, SupervisorStatus status) {
        if (!means.systemd().listens()) {
            return;
        }
        List<String> words = new ArrayList<>();
        if (!ready && (state.life() instanceof Life.Ready || status.state().equals("halted"))) {
            ready = true;
            // On its own: of READY and STOPPING in one message systemd takes the last, and the start would have failed.
            means.systemd().tell("READY=1");
        }
        words.add("STATUS=" + Outlook.sentence(status));
        if (ends(state.life())) {
            words.add("STOPPING=1");
        }
        words.add("WATCHDOG=1");
        barked = OptionalLong.of(means.ticker().nanos());
        means.systemd().tell(words.toArray(String[]::new));
    }

    private SupervisorStatus status(Now now) {
        Life life = now.state().life();
        Optional<Host> last = now.last().map(Ran::host);
        Optional<String> halted = life instanceof Life.Over over ? over.halted() : Optional.empty();
        Instant instant = means.clock().instant();
        String word = halted.isPresent() ? "halted" : Outlook.word(life);
        note(word, instant);
        long pid = runs(life) ? now.child().orElse(0L) : 0;
        Optional<Scene> ahead = ahead(now);
        return new SupervisorStatus(
                word,
                at(since),
                ProcessHandle.current().pid(),
                last.map(Host::words).orElse(null),
                last.flatMap(Host::version).orElse(null),
                last.map(host -> host.program().toString()).orElse(null),
                now.last().map(Ran::arrival).orElse(OptionalLong.empty()),
                Outlook.why(life).orElse(null),
                pid,
                started(pid),
                processes.bootId(),
                now.state().count(),
                lastFailure.orElse(null),
                ahead.isPresent() && now.due().isPresent()
                        ? at(instant.plusNanos(
                                now.due().getAsLong() - means.ticker().nanos()))
                        : null,
                ahead.map(outlook::then).orElse(null),
                halted.orElse(null),
                Stream.concat(troubles.values().stream(), notes.stream()).toList());
    }

    /** What the next attempt will find. */
    private static Optional<Scene> ahead(Now now) {
        return now.state().life() instanceof Life.Waiting
                ? Optional.of(now.scene().get().withCount(now.state().count()))
                : Optional.empty();
    }

    private void note(String word, Instant now) {
        if (!word.equals(stateWord)) {
            stateWord = word;
            since = now;
        }
    }

    private static boolean runs(Life life) {
        return life instanceof Life.Starting || life instanceof Life.Ready || life instanceof Life.Ending;
    }

    private long started(long pid) {
        return pid == 0
                ? 0
                : processes.entry((int) pid).map(ProcessTable.Entry::started).orElse(0L);
    }

    private static boolean ends(Life life) {
        return life instanceof Life.Over || (life instanceof Life.Ending ending && ending.stopping());
    }

    private static String at(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
