package io.meshhost.apply;

import io.meshhost.declaration.Resource.Health;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.ServiceState.Active;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Finds out whether what was started works: by its health within its time, or, without one, by having stayed up
 * for 2 s. Time is the ticker's, so a changed wall clock neither stretches nor cuts it.
 */
final class ProcessProof {
    private static final Duration UP = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Work work;
    private final ProcessHome home;
    private final ProcessForm form;
    private final Optional<ProcessWanted> wanted;

    /** How a proof can end without the process being at fault. */
    enum Result {
        WELL,
        /** The host was asked to stop: nothing is known. */
        CUT_SHORT
    }

    ProcessProof(Work work, ProcessWanted wanted) {
        this.work = work;
        this.home = new ProcessHome(work.places(), wanted.spec().name());
        this.form = wanted.form();
        this.wanted = Optional.of(wanted);
    }

    /** Of an old version: whether it is up is all that can be asked of it. */
    ProcessProof(Work work, ProcessHome home, ProcessForm form) {
        this.work = work;
        this.home = home;
        this.form = form;
        this.wanted = Optional.empty();
    }

    /** @throws MachineFailure when it does not work, with the reason */
    Result prove(Optional<Health> health) {
        if (form == ProcessForm.DAEMON && health.isPresent() && wanted.isPresent()) {
            return healthy(health.get(), wanted.get());
        }
        return up();
    }

    Result up() {
        if (form == ProcessForm.SCHEDULE) {
            timer();
            return Result.WELL;
        }
        ServiceState first = state(home.service());
        long end = work.ticker().nanos() + UP.toNanos();
        while (true) {
            ServiceState now = state(home.service());
            if (!steady(first, now)) {
                throw new MachineFailure(
                        "cannot keep " + home.name() + " up: it ended soon after its start (" + now.result() + ")");
            }
            if (work.ticker().nanos() >= end) {
                return Result.WELL;
            }
            if (!pause(LOOK)) {
                return Result.CUT_SHORT;
            }
        }
    }

    /** A process that ended and was started again between two looks has another number or one restart more. */
    private static boolean steady(ServiceState first, ServiceState now) {
        return up(now) && now.restarts() == first.restarts() && now.mainPid() == first.mainPid();
    }

    private static boolean up(ServiceState state) {
        return state.running() && !state.subState().equals("auto-restart");
    }

    private void timer() {
        ServiceState timer = state(home.timer());
        if (!timer.running()) {
            throw new MachineFailure(
                    "cannot schedule " + home.name() + ": its timer is not set (" + timer.result() + ")");
        }
    }

    private Result healthy(Health health, ProcessWanted process) {
        long end = work.ticker().nanos() + health.timeout().toNanos();
        try (ProcessHealth asking = new ProcessHealth(work, process)) {
            while (true) {
                Optional<String> trouble =
                        asking.ask(health, Duration.ofNanos(end - work.ticker().nanos()));
                ServiceState now = state(home.service());
                if (trouble.isEmpty() && up(now)) {
                    return Result.WELL;
                }
                if (now.active() == Active.FAILED || work.ticker().nanos() >= end) {
                    throw unwell(health, trouble, now);
                }
                if (!pause(health.interval())) {
                    return Result.CUT_SHORT;
                }
            }
        }
    }

    private MachineFailure unwell(Health health, Optional<String> trouble, ServiceState now) {
        String state = up(now) ? "" : ", and it is not up (" + now.result() + ")";
        return new MachineFailure("cannot take " + home.name() + " as healthy: within "
                + health.timeout().toSeconds() + " s " + trouble.orElse("it answered") + state);
    }

    private ServiceState state(String unit) {
        return work.services().states(List.of(unit)).getOrDefault(unit, ServiceState.absent(unit));
    }

    /** @return false when the host was asked to stop */
    private boolean pause(Duration duration) {
        long end = work.ticker().nanos() + duration.toNanos();
        while (!work.stopping().getAsBoolean()) {
            long left = end - work.ticker().nanos();
            if (left <= 0) {
                return true;
            }
            CountDownLatch over = new CountDownLatch(1);
            work.ticker().after(Duration.ofNanos(Math.min(left, LOOK.toNanos())), over::countDown);
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }
}
