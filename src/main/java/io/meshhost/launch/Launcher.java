package io.meshhost.launch;

import io.meshhost.machine.DirectoryLock;
import io.meshhost.machine.JavaHome;
import io.meshhost.machine.LockFile;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Offspring;
import io.meshhost.machine.Settings;
import io.meshhost.machine.Variable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The supervisor's loop: one thread takes what happens from one queue, asks {@link LifeCycle} what it means, and does that.
 *
 * <p>What can wait (the counter, the status, words) is done when the successor already runs: a machine without its host is
 * what all this exists to avoid.
 */
public final class Launcher {
    private static final String COUNTING = "failures are counted in memory only";

    private final JavaHome javaHome = JavaHome.now();
    private final Means means;
    private final LifeCycle cycle;
    private final LinkedBlockingQueue<Input> queue = new LinkedBlockingQueue<>();
    private final Deque<Event> inner = new ArrayDeque<>();
    private final List<Effect> late = new ArrayList<>();
    private final Counting counting;
    private final Reports reports;
    private final Ledger ledger;
    private final GoingBack goingBack;
    private State state = State.first();
    private Optional<Offspring> child = Optional.empty();
    private final LastRan last;
    /** Written by the loop alone; the wire's threads read it. */
    private volatile long run;

    private boolean speaks;
    private boolean forgetful;
    private volatile boolean stopping;

    Launcher(Means means) {
        this.means = means;
        this.cycle = new LifeCycle(means.limits());
        this.ledger = new Ledger(means.places(), means.placed(), means.files());
        this.reports = new Reports(means, ledger);
        this.counting = new Counting(ledger.state());
        this.last = new LastRan(ledger);
        this.goingBack = new GoingBack(ledger, new LockFile(means.ticker()), counting, reports);
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
        stopping |= notice != Notice.HUP;
        queue.add(new Input.Of(-1, new Event.Told(notice)));
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
        try (AutoCloseable held =
                        new DirectoryLock(means.places().stateDir(), "supervisor", lock).hold("supervise", _ -> {});
                Ears ears = Ears.open(means, this::listener, () -> queue.add(new Input.Glance()), reports::trouble)) {
            means.complaints().forEach(reports::trouble);
            takeOver(lock);
            act(new Effect.Choose());
            step(ears.socket());
            ledger.rehearse(() -> queue.isEmpty() && inner.isEmpty());
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
        Leftover leftover = new Leftover(reports.processes(), means.ticker()::nanos);
        before.flatMap(leftover::find)
                .or(() -> leftover.holding(new DirectoryLock(means.places().stateDir(), "host", lock), means.socket()))
                .ifPresent(host -> {
                    means.say().accept("ending pid " + host.pid() + ", which an earlier supervisor left");
                    leftover.end(host, means.limits().stop(), reports::alive);
                });
    }

    private void step(Optional<String> socket) throws InterruptedException {
        reports.socket(socket);
        Event event = inner.poll();
        if (event == null) {
            event = next();
        }
        if (event != null) {
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
        Input input = queue.poll();
        if (input == null) {
            rest();
            input = await();
        }
        return switch (input) {
            case null -> timer();
            case Input.Of(long of, Event event) -> of < 0 || of == run ? event : null;
            case Input.Speaks(long of) -> {
                speaks |= of == run;
                yield null;
            }
            case Input.Glance() ->
                state.life() instanceof Life.Starting && !speaks && counting.readyByFiles()
                        ? new Event.Ready(false)
                        : null;
        };
    }

    private @Nullable Input await() throws InterruptedException {
        OptionalLong due = cycle.due(state);
        OptionalLong dog = reports.watchdogDue();
        if (due.isEmpty() && dog.isEmpty()) {
            return queue.take();
        }
        long until = Math.min(due.orElse(Long.MAX_VALUE), dog.orElse(Long.MAX_VALUE));
        return queue.poll(Math.max(0, until - means.ticker().nanos()), TimeUnit.NANOSECONDS);
    }

    private @Nullable Event timer() {
        OptionalLong due = cycle.due(state);
        // What came in meanwhile is heard first: it may be the sign of life that was waited for.
        return due.isPresent() && queue.isEmpty() && means.ticker().nanos() >= due.getAsLong() ? new Event.Due() : null;
    }

    private void act(Effect effect) {
        switch (effect) {
            case Effect.Choose _ -> {
                // One who is told to stop starts nothing any more; the queue holds why.
                if (!stopping) {
                    inner.add(new Event.Chosen(choose()));
                }
            }
            case Effect.Start(Host host) -> start(host);
            case Effect.RunScript _ ->
                begin(new Offspring.Program(
                        means.places().libexec().resolve("rollback"), List.of(), Map.of(), Means.unset()));
            case Effect.Send(Notice notice) -> child.ifPresent(process -> process.signal(notice.number()));
            case Effect.Kill _ -> child.ifPresent(process -> process.signal(Reports.KILL));
            case Effect.GoBack(Choice.GoBack back) -> goingBack.write(back);
            case Effect.CameUp _ -> counting.cameUp();
            case Effect.Halt(String reason) ->
                forgetful = !reports.guarded(
                        "the halt is not recorded", () -> ledger.state().write(StateDir.HALTED, reason + "\n"));
            case Effect.Count(int count) -> {
                counting.owes(count);
                late.add(effect);
            }
            case Effect.Attempted _ -> {
                counting.owesMark();
                late.add(effect);
            }
            case Effect.Unpin _, Effect.Reject _, Effect.Say _, Effect.Failed _ -> late.add(effect);
        }
    }

    /** What the files say, and what they would say if the disk had taken it all. */
    private Scene scene() {
        return counting.correct(goingBack.correct(ledger.scene(last.failing())));
    }

    private Choice choose() {
        Scene counted = scene();
        last.asked(counted);
        reports.notes(counted.notes());
        if (!counting.owing()) {
            reports.settled(COUNTING);
        }
        return ledger.choosing(means.limits().starts()).choose(counted);
    }

    private void start(Host host) {
        last.started(host);
        counting.starting();
        Map<String, String> set = new HashMap<>(means.set());
        reports.socket().ifPresent(path -> set.put(Variable.LAUNCHER.variable(), path));
        host.version().ifPresent(name -> set.put(Variable.VERSION.variable(), name));
        goingBack.givenUp().ifPresent(words -> set.put(Variable.GIVEN_UP.variable(), words));
        begin(new Offspring.Program(host.program(), List.of("run"), set, Means.unset()));
    }

    private void begin(Offspring.Program program) {
        long number = run + 1;
        run = number;
        speaks = false;
        try {
            child = Optional.of(
                    Offspring.start(program, status -> queue.add(new Input.Of(number, new Event.Exited(status)))));
        } catch (MachineFailure failure) {
            if (javaHome.replaced()) {
                throw new MachineFailure(
                        "cannot start anything any more: the Java that runs this supervisor was replaced"
                                + " under it; a fresh supervisor is needed, and systemd starts one");
            }
            child = Optional.empty();
            inner.add(new Event.NotStarted(failure.sentence()));
        }
    }

    /** A moment with nothing to decide. */
    private void rest() {
        for (Effect effect : late) {
            switch (effect) {
                case Effect.Say(String sentence) -> means.say().accept(sentence);
                case Effect.Failed(String sentence) -> reports.failed(sentence);
                case Effect.Count(int count) -> reports.guarded(COUNTING, () -> counting.write(count));
                case Effect.Attempted _ ->
                    reports.guarded(GoingBack.IN_MEMORY, () -> ledger.state().write(StateDir.ATTEMPTED, ""));
                case Effect.Unpin _ -> goingBack.unpin();
                case Effect.Reject(String version) -> goingBack.reject(version);
                case Effect.Choose _, Effect.Start _, Effect.RunScript _, Effect.Send _, Effect.Kill _ -> {}
                case Effect.GoBack _, Effect.Halt _, Effect.CameUp _ -> {}
            }
        }
        late.clear();
        last.look();
        reports.publish(new Now(state, child.map(Offspring::pid), cycle.due(state), last.ran(), this::scene));
    }

    private Wire.Listener listener() {
        return new Heard(run, queue::add, reports::text);
    }
}
