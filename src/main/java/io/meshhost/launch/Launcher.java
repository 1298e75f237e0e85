package io.meshhost.launch;

import io.meshhost.machine.DirectoryLock;
import io.meshhost.machine.LockFile;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Settings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The supervisor's loop: one thread takes what happens in one place, asks {@link LifeCycle} what it means, and does that.
 *
 * <p>What can wait (the counter, the status, words) is done when the successor already runs: a machine without its host is
 * what all this exists to avoid.
 */
public final class Launcher {
    private final Starter starter;
    private final Running running;
    private final Means means;
    private final LifeCycle cycle;
    private final Inbox inbox = new Inbox();
    private final Deque<Event> inner = new ArrayDeque<>();
    private final Later later;
    private final Haste haste;
    private final Counting counting;
    private final Reports reports;
    private final Ledger ledger;
    private final GoingBack goingBack;
    private State state = State.first();
    private final LastRan last;
    private boolean forgetful;
    private volatile boolean stopping;

    Launcher(Means means) {
        this.means = means;
        this.starter = new Starter(means);
        this.running = new Running(starter, inbox);
        this.cycle = new LifeCycle(means.limits());
        this.ledger = new Ledger(means.places(), means.placed(), means.files());
        this.reports = new Reports(means, ledger);
        this.counting = new Counting(ledger.state());
        this.last = new LastRan(ledger);
        this.goingBack = new GoingBack(ledger, new LockFile(means.ticker()), counting, reports);
        this.haste = new Haste(means, cycle, ledger, counting, goingBack);
        this.later = new Later(means.say(), reports, counting, ledger.state(), goingBack);
    }

    /**
     * On this machine.
     *
     * @param environment of this process
     * @param say prints a line
     */
    public static Launcher real(Settings settings, Map<String, String> environment, Consumer<String> say) {
        return new Launcher(Means.real(settings, environment, say));
    }

    /** TERM, INT or HUP was sent to this process; from any thread. */
    public void term() {
        told(Notice.TERM);
    }

    public void interrupt() {
        told(Notice.INT);
    }

    public void hangUp() {
        told(Notice.HUP);
    }

    private void told(Notice notice) {
        if (notice != Notice.HUP) {
            stopping = true;
        }
        inbox.add(new Input.Of(-1, new Event.Told(notice)));
    }

    /**
     * Supervises until it is told to stop or a person is needed.
     *
     * @return the exit status
     * @throws MachineFailure when another supervisor keeps this state directory
     */
    @SuppressWarnings("try")
    public int supervise() throws Exception {
        prepareStateDir();
        LockFile lock = new LockFile(means.ticker());
        try (inbox;
                ledger;
                AutoCloseable held = new DirectoryLock(means.places().stateDir(), "supervisor", lock)
                        .hold("supervise", means.say());
                Ears ears = Ears.open(
                        means,
                        () -> new Heard(running.number(), inbox::add, reports::text),
                        () -> inbox.add(new Input.Glance()),
                        reports::trouble)) {
            means.complaints().forEach(reports::trouble);
            takeOver(lock);
            act(new Effect.Choose());
            step(ears.socket());
            // Who runs is written down first: a supervisor that is killed now leaves a host that can be found.
            rest();
            haste.rehearse(
                    state, last, starter, reports.socket(), () -> inner.isEmpty() && inbox.quiet(running.child()));
            while (!(state.life() instanceof Life.Over)) {
                step(ears.socket());
            }
            rest();
            // A halt that no disk remembers is none: whoever started this one is to start another.
            return forgetful ? 1 : ((Life.Over) state.life()).status();
        }
    }

    private void prepareStateDir() {
        try {
            ledger.state().make();
        } catch (MachineFailure failure) {
            reports.trouble(failure.sentence());
        }
    }

    /** What an earlier supervisor left: failures, which host failed, and the host itself when that still runs. */
    private void takeOver(LockFile lock) {
        state = new State(state.life(), counting.before(), 0);
        Optional<SupervisorStatus.Last> before =
                SupervisorStatus.last(ledger.state().text(StateDir.SUPERVISOR, new ArrayList<>()));
        before.ifPresent(
                written -> last.takeOver(written, ledger.choosing(means.limits().starts()), state.count()));
        new Leftover(reports.processes(), means.ticker()::nanos)
                .takeOver(before, new DirectoryLock(means.places().stateDir(), "host", lock), means, reports::alive);
    }

    private void step(Optional<String> socket) throws InterruptedException {
        reports.socket(socket);
        Event event = inner.poll();
        if (event == null) {
            event = next();
        }
        if (event != null) {
            haste.act(event, stopping || !inbox.isEmpty(), running, this::wanted);
            Turn turn = cycle.turn(state, event, means.ticker().nanos());
            boolean other = turn.next().life().getClass() != state.life().getClass();
            state = turn.next();
            turn.effects().forEach(this::act);
            if (other || !turn.effects().isEmpty()) {
                reports.moved();
            }
        }
    }

    /** Null: nothing that matters. */
    private @Nullable Event next() throws InterruptedException {
        Input input = inbox.poll();
        if (input == null) {
            rest();
            input = await();
        }
        return switch (input) {
            case null -> timer();
            case Input.Of(long of, Event event) -> of < 0 || of == running.number() ? event : null;
            case Input.Speaks(long of) -> {
                running.speaks(of);
                yield null;
            }
            case Input.Glance() ->
                state.life() instanceof Life.Starting && !running.speaks() && counting.readyByFiles()
                        ? new Event.Ready(false)
                        : null;
        };
    }

    private @Nullable Input await() throws InterruptedException {
        OptionalLong due = cycle.due(state);
        OptionalLong dog = reports.watchdogDue();
        long until = Math.min(due.orElse(Long.MAX_VALUE), dog.orElse(Long.MAX_VALUE));
        OptionalLong most = due.isEmpty() && dog.isEmpty()
                ? due
                : OptionalLong.of(until - means.ticker().nanos());
        return inbox.take(most, running.child(), running.number());
    }

    private @Nullable Event timer() {
        OptionalLong due = cycle.due(state);
        // What came in meanwhile is heard first: it may be the sign of life that was waited for.
        return due.isPresent() && inbox.isEmpty() && means.ticker().nanos() >= due.getAsLong() ? new Event.Due() : null;
    }

    private void act(Effect effect) {
        switch (effect) {
            case Effect.Choose _ -> {
                // One who is told to stop starts nothing any more; the queue holds why.
                if (!stopping || running.seen().isPresent()) {
                    inner.add(new Event.Chosen(choose()));
                }
            }
            case Effect.Start(Host host) -> start(host);
            case Effect.RunScript _ -> notStarted(running.script());
            case Effect.Send(Notice notice) -> running.signal(notice.number());
            case Effect.Kill _ -> running.signal(Reports.KILL);
            case Effect.GoBack(Choice.GoBack back) -> goingBack.write(back);
            case Effect.CameUp _ -> counting.cameUp();
            case Effect.Halt(String reason) ->
                forgetful = !reports.guarded(
                        "the halt is not recorded", () -> ledger.state().write(StateDir.HALTED, reason + "\n"));
            case Effect.Count(int count) -> {
                counting.owes(count);
                later.add(effect);
            }
            case Effect.Attempted _ -> {
                counting.owesMark();
                later.add(effect);
            }
            case Effect.Unpin _, Effect.Reject _, Effect.Say _, Effect.Failed _ -> later.add(effect);
        }
    }

    /** What the files say, and what they would say if the disk had taken it all. */
    private Scene scene() {
        return counting.correct(goingBack.correct(running.seen().orElseGet(() -> ledger.scene(last.failing()))));
    }

    private Choice choose() {
        Scene counted = scene();
        last.asked(counted);
        reports.notes(counted.notes());
        if (!counting.owing()) {
            reports.settled(Later.COUNTING);
        }
        return ledger.choosing(means.limits().starts()).choose(counted);
    }

    private void start(Host host) {
        last.started(host);
        if (running.seen().isEmpty()) {
            counting.starting(ledger.mark());
        }
        notStarted(running.host(wanted(host)));
    }

    private Starter.Wanted wanted(Host host) {
        return new Starter.Wanted(host, reports.socket(), goingBack.givenUp());
    }

    private void notStarted(Optional<String> why) {
        if (why.isPresent()) {
            ledger.readAnew();
            inner.add(new Event.NotStarted(why.get()));
        }
    }

    /** A moment with nothing to decide. */
    private void rest() {
        running.settle();
        last.look();
        later.carryOut();
        reports.publish(new Now(
                state,
                running.child().map(process -> (long) process.pid()),
                cycle.due(state),
                last.ran(),
                this::scene));
        haste.foresee(state, last);
    }
}
