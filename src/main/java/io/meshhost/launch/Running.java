package io.meshhost.launch;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.linux.Child;
import java.util.Optional;
import java.util.function.Supplier;

/** What the supervisor has started, and starts. */
final class Running {
    private final Starter starter;
    private final Inbox inbox;
    private Optional<Child> child = Optional.empty();
    /** Written by the loop alone; the wire's threads read it. */
    private volatile long number;

    private boolean speaks;
    private Optional<Foreseen> hastened = Optional.empty();

    Running(Starter starter, Inbox inbox) {
        this.starter = starter;
        this.inbox = inbox;
    }

    Optional<Child> child() {
        return child;
    }

    /** Which run this is; from any thread. */
    long number() {
        return number;
    }

    /** Whether it has connected, and so will say itself how it is. */
    boolean speaks() {
        return speaks;
    }

    void speaks(long run) {
        speaks |= run == number;
    }

    void signal(int signal) {
        child.ifPresent(process -> process.signal(signal));
    }

    /** Empty: it runs. Else why not. */
    Optional<String> script() {
        settle();
        return begin(starter::script);
    }

    /** As {@link #script}; one that was {@link #hasten hastened} runs already. */
    Optional<String> host(Starter.Wanted wanted) {
        boolean there =
                hastened.map(Foreseen::host).filter(wanted.host()::equals).isPresent();
        if (there) {
            hastened = Optional.empty();
            return Optional.empty();
        }
        settle();
        return begin(() -> starter.host(wanted));
    }

    /**
     * Starts what is going to be decided, before all of that is gone through: a machine is not to be without its host for
     * the time that it takes. What cannot be started is tried, and said, on the usual way.
     */
    void hasten(Foreseen foreseen, Starter.Wanted wanted) {
        if (begin(() -> starter.host(wanted)).isEmpty()) {
            hastened = Optional.of(foreseen);
        }
    }

    /** What was decided on for one that was hastened; empty: the files are to be asked. */
    Optional<Scene> seen() {
        return hastened.map(Foreseen::scene);
    }

    /** One that was hastened and not decided for does not stay. */
    void settle() {
        if (hastened.isPresent()) {
            hastened = Optional.empty();
            child.ifPresent(Child::end);
        }
    }

    private Optional<String> begin(Supplier<Child> start) {
        long next = number + 1;
        number = next;
        speaks = false;
        Optional<Child> before = child;
        try {
            child = Optional.of(start.get());
            inbox.giveWay(child);
            return Optional.empty();
        } catch (MachineFailure failure) {
            child = Optional.empty();
            return Optional.of(failure.sentence());
        } finally {
            before.ifPresent(Child::close);
        }
    }
}
