package io.meshhost.converge;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Drives the gate by hand: the executor and the passes are queues, so that every interleaving can be walked. */
class SingleFlightTest {
    private enum Event {
        MARK,
        HOP,
        SUCCEED,
        FAIL
    }

    /** The gate with its hands tied: nothing moves but by an event. */
    private static final class Stage {
        final ArrayDeque<Runnable> hops = new ArrayDeque<>();
        final List<List<Integer>> passes = new ArrayList<>();
        final List<Throwable> failures = new ArrayList<>();
        final Map<Integer, Long> promised = new TreeMap<>();
        private @Nullable UniEmitter<? super Void> open;
        private int overlaps;
        private int marks;
        final SingleFlight<Integer> gate =
                new SingleFlight<>(this::pass, failures::add, Duration.ofHours(1), hops::add);

        private Uni<Void> pass(List<Integer> taken) {
            passes.add(taken);
            return Uni.createFrom().emitter(emitter -> {
                overlaps += open == null ? 0 : 1;
                open = emitter;
            });
        }

        boolean can(Event event) {
            return switch (event) {
                case MARK -> true;
                case HOP -> !hops.isEmpty();
                case SUCCEED, FAIL -> open != null;
            };
        }

        void happen(Event event) {
            switch (event) {
                case MARK -> promised.put(++marks, gate.mark(marks));
                case HOP -> hops.remove().run();
                case SUCCEED -> take().complete(null);
                case FAIL -> take().fail(new IllegalStateException("a bad pass"));
            }
        }

        private UniEmitter<? super Void> take() {
            UniEmitter<? super Void> emitter = Objects.requireNonNull(open);
            open = null;
            return emitter;
        }

        void runToTheEnd() {
            while (can(Event.HOP) || can(Event.SUCCEED)) {
                happen(can(Event.HOP) ? Event.HOP : Event.SUCCEED);
            }
        }
    }

    @Test
    void inEveryInterleavingEachMarkIsServedOnceByAPassThatBeganAfterIt() {
        AtomicInteger walked = new AtomicInteger();
        walk(new ArrayList<>(), 13, walked);
        assertThat(walked.get()).isGreaterThan(5_000);
    }

    private static void walk(List<Event> script, int left, AtomicInteger walked) {
        Stage stage = new Stage();
        script.forEach(stage::happen);
        if (left == 0) {
            stage.runToTheEnd();
            judge(script, stage);
            walked.incrementAndGet();
            return;
        }
        for (Event event : Event.values()) {
            if (stage.can(event)) {
                script.add(event);
                walk(script, left - 1, walked);
                script.removeLast();
            }
        }
    }

    private static void judge(List<Event> script, Stage stage) {
        List<Integer> served = stage.passes.stream().flatMap(List::stream).toList();
        assertThat(stage.overlaps).as("%s", script).isZero();
        assertThat(served).as("%s", script).containsExactlyElementsOf(stage.promised.keySet());
        assertThat(stage.passes).as("%s: no pass for nothing", script).noneMatch(List::isEmpty);
        assertThat(stage.gate.generation()).as("%s", script).isEqualTo(stage.passes.size());
        assertThat(stage.gate.running()).as("%s", script).isFalse();
        for (int pass = 0; pass < stage.passes.size(); pass++) {
            for (Integer mark : stage.passes.get(pass)) {
                assertThat(stage.promised).as("%s", script).containsEntry(mark, pass + 1L);
            }
        }
    }

    @Test
    void marksDuringAPassGiveExactlyOneFollowUp() {
        Stage stage = new Stage();
        stage.happen(Event.MARK);
        stage.happen(Event.HOP);
        stage.happen(Event.MARK);
        stage.happen(Event.MARK);
        stage.happen(Event.MARK);
        stage.runToTheEnd();
        assertThat(stage.passes).containsExactly(List.of(1), List.of(2, 3, 4));
    }

    @Test
    void aPassThatThrowsInsteadOfGivingAUniDoesNotStick() {
        List<Throwable> failures = new ArrayList<>();
        SingleFlight<String> gate = new SingleFlight<>(
                marks -> {
                    throw new IllegalStateException("thrown");
                },
                failures::add,
                Duration.ofHours(1),
                Runnable::run);
        gate.mark("a");
        gate.mark("b");
        assertThat(gate.generation()).isEqualTo(2);
        assertThat(failures).extracting(Throwable::getMessage).containsExactly("thrown", "thrown");
    }

    @Test
    void aPassWithoutAnEndIsGivenUpAfterTheTimeOut() {
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        SingleFlight<String> gate = new SingleFlight<>(
                marks -> Uni.createFrom().nothing(), failures::add, Duration.ofMillis(20), Runnable::run);
        gate.mark("a");
        Awaitility.await().until(() -> gate.generation() == 1);
        assertThat(failures).hasSize(1).first().isInstanceOf(TimeoutException.class);
        assertThat(gate.running()).isFalse();
    }

    @Test
    void aClosedGateFinishesThePassInHandAndBeginsNoOther() {
        Stage stage = new Stage();
        stage.happen(Event.MARK);
        stage.happen(Event.HOP);
        stage.happen(Event.MARK);
        stage.gate.close();
        assertThat(stage.gate.mark(99)).isEqualTo(-1);
        stage.runToTheEnd();
        assertThat(stage.passes).containsExactly(List.of(1));
        assertThat(stage.gate.generation()).isEqualTo(1);
    }

    @Test
    void underRealThreadsNoMarkIsLostAndNoPassOverlaps() throws Exception {
        int threads = 8;
        int each = 2_000;
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger served = new AtomicInteger();
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            SingleFlight<Integer> gate = new SingleFlight<>(
                    marks -> Uni.createFrom().item(() -> {
                        overlaps.addAndGet(inside.getAndIncrement());
                        served.addAndGet(marks.size());
                        inside.decrementAndGet();
                        return null;
                    }),
                    failure -> {},
                    Duration.ofMinutes(1),
                    pool);
            CyclicBarrier start = new CyclicBarrier(threads);
            CountDownLatch done = new CountDownLatch(threads);
            for (int thread = 0; thread < threads; thread++) {
                pool.execute(() -> {
                    try {
                        start.await();
                        for (int mark = 0; mark < each; mark++) {
                            gate.mark(mark);
                        }
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    } finally {
                        done.countDown();
                    }
                });
            }
            done.await();
            long last = gate.mark(0);
            Awaitility.await().until(() -> gate.generation() >= last);
        }
        assertThat(served.get()).isEqualTo(threads * each + 1);
        assertThat(overlaps.get()).isZero();
    }
}
