package io.meshhost.converge;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.ApplyFailure;
import io.meshhost.apply.Options;
import io.meshhost.apply.Outcome;
import io.meshhost.apply.Report;
import io.meshhost.apply.Run;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Fault;
import io.meshhost.declaration.Reading;
import io.meshhost.machine.MachineFailure;
import io.smallrye.mutiny.subscription.Cancellable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One pass at a time on this thread, with a real file and a machine of paper. */
@SuppressWarnings("NullAway.Init")
class ReconcileTest {
    @TempDir
    Path dir;

    private final List<String> read = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private final List<Options> options = new ArrayList<>();
    private Path file;
    private DeclarationPlace place;
    private String settled = "";
    private boolean stopping;
    private Executor threads = Runnable::run;
    private Applier applier = (declaration, insisted, run) -> updated();
    private Board board;
    private Reconcile reconcile;

    @BeforeEach
    void machine() throws IOException {
        file = dir.resolve("d.yaml");
        place = new DeclarationPlace(List.of(file));
        board = new Board(
                Clock.fixed(Instant.parse("2026-11-29T03:00:00Z"), ZoneOffset.UTC),
                new Board.Identity("box", "1", 1, "built-in", file.toString(), List.of()),
                () -> false);
        reconcile = new Reconcile(
                new DeclarationSource(place, this::read),
                () -> settled,
                (declaration, insisted, run) -> {
                    runs.add(run);
                    options.add(insisted);
                    return applier.apply(declaration, insisted, run);
                },
                board,
                () -> stopping,
                task -> threads.execute(task));
        write("one");
    }

    private void write(String content) throws IOException {
        Files.writeString(file, content);
        settled = place.signature();
    }

    private Reading read(Path path) {
        try {
            String content = Files.readString(path);
            read.add(content);
            return content.startsWith("wrong")
                    ? new Reading(Optional.empty(), List.of(new Fault("d.yaml", 1, 1, "", content, false)))
                    : new Reading(
                            Optional.of(new Declaration("box", OptionalLong.of(content.length()), true, List.of())),
                            List.of());
        } catch (IOException e) {
            throw new MachineFailure("cannot read", e);
        }
    }

    private static Report report(String action) {
        return new Report(
                !action.equals("failed"),
                "box",
                7L,
                List.of(new Outcome("app/motd", "file", action, "", action.equals("failed") ? "no space" : null, 1)),
                Map.of(action, 1),
                List.of());
    }

    private static Report updated() {
        return report("updated");
    }

    private Ended pass(Mark... marks) {
        CompletableFuture<Ended> waiter = new CompletableFuture<>();
        List<Mark> all = new ArrayList<>(List.of(marks));
        all.add(new Mark("apply", false, Options.none(), Optional.of(waiter)));
        reconcile.apply(all).await().indefinitely();
        return waiter.join();
    }

    private void pass(String why) {
        reconcile.apply(List.of(Mark.look(why))).await().indefinitely();
    }

    @Test
    void theDeclarationIsReadAgainOnlyWhenItChanged() throws IOException {
        pass("start");
        pass("every 10m");
        assertThat(read).containsExactly("one");
        write("two, longer");
        pass("HUP");
        assertThat(read).containsExactly("one", "two, longer");
    }

    @Test
    void aDeclarationThatHasNotComeToRestIsNotReadAndTheOldOneIsKeptUp() throws IOException {
        pass("start");
        Files.writeString(file, "half");
        pass("every 10m");
        assertThat(read).containsExactly("one");
        assertThat(runs).hasSize(2);
    }

    @Test
    void aFirstDeclarationThatIsBeingWrittenIsRefusedForNow() throws IOException {
        Files.writeString(file, "half of it");
        pass("start");
        assertThat(read).isEmpty();
        assertThat(runs).isEmpty();
        assertThat(board.status().state()).isEqualTo("refused");
        assertThat(board.status().declaration().refused()).contains("it is being written");
        assertThat(board.reconciles()).isEqualTo(1);
    }

    @Test
    void aRefusedDeclarationChangesNothingAndCountsAsCompleted() throws IOException {
        write("wrong: a colon");
        assertThat(pass())
                .isInstanceOfSatisfying(
                        Ended.Refused.class,
                        refused -> assertThat(refused.faults()).hasSize(1));
        assertThat(runs).isEmpty();
        assertThat(board.reconciles()).isEqualTo(1);
        assertThat(board.status().declaration().faults()).hasSize(1);
    }

    @Test
    void aMissingDeclarationIsRefusedAndSaysWhereOneIsLookedFor() throws IOException {
        Files.delete(file);
        settled = place.signature();
        pass("start");
        assertThat(board.status().state()).isEqualTo("refused");
        assertThat(board.status().declaration().refused())
                .contains(file.toString())
                .contains("write one");
    }

    @Test
    void whatChangedByItselfIsDriftAndWhatTheDeclarationChangedIsNot() throws IOException {
        pass("start");
        assertThat(board.status().drift()).as("the first look").isNull();
        write("two, longer");
        pass("HUP");
        assertThat(board.status().drift())
                .as("a HUP that was faster than the watch")
                .isNull();
        pass("every 10m");
        assertThat(board.status().drift()).isNotNull();
    }

    @Test
    void aFailedResourceMakesTheHostFailedAndTheNextPassWellAgain() {
        applier = (declaration, insisted, run) -> report("failed");
        pass("start");
        assertThat(board.status().state()).isEqualTo("failed");
        applier = (declaration, insisted, run) -> report("unchanged");
        pass("every 10m");
        assertThat(board.status().state()).isEqualTo("well");
    }

    @Test
    void anExpectedFailureEndsThePassAndIsTheAnswer() {
        applier = (declaration, insisted, run) -> {
            throw new ApplyFailure(ApplyFailure.Reason.BUSY, "cannot apply: another apply, pid 7, is at work");
        };
        assertThat(pass()).isEqualTo(new Ended.Failed("cannot apply: another apply, pid 7, is at work"));
    }

    @Test
    void aSerialThatGoesBackIsRefused() {
        applier = (declaration, insisted, run) -> {
            throw new ApplyFailure(ApplyFailure.Reason.REFUSED, "cannot apply serial 6");
        };
        assertThat(pass()).isEqualTo(new Ended.Refused("cannot apply serial 6", List.of()));
        assertThat(board.status().state()).isEqualTo("refused");
    }

    @Test
    void aFaultOfTheProgramEndsThePassAndNotTheHost() {
        applier = (declaration, insisted, run) -> {
            throw new IllegalStateException("a bug");
        };
        assertThat(pass()).isInstanceOf(Ended.Failed.class);
        applier = (declaration, insisted, run) -> {
            throw new NoClassDefFoundError("not in this executable");
        };
        assertThat(pass()).asString().contains("not in this executable");
        assertThat(board.reconciles()).isEqualTo(2);
    }

    @Test
    void reasonsAreCollectedAndWhatOneInsistsOnCounts() {
        pass(Mark.look("HUP"), Mark.look("HUP"), new Mark("apply", true, new Options(true, false), Optional.empty()));
        assertThat(runs.getFirst().why()).isEqualTo("HUP, apply");
        assertThat(options).containsExactly(new Options(true, false));
    }

    @Test
    void aPassThatHangsIsNotJoinedByAnotherAndIsToldToStop() {
        List<Ended> second = new ArrayList<>();
        AtomicReference<Cancellable> first = new AtomicReference<>();
        applier = (declaration, insisted, run) -> {
            run.progress().at("waiting for app/web", -1, -1);
            // As the gate does when the time is over; then it lets the next pass in.
            first.get().cancel();
            assertThat(run.stopping().getAsBoolean()).isTrue();
            second.add(pass());
            return updated();
        };
        List<Runnable> later = new ArrayList<>();
        threads = later::add;
        first.set(reconcile.apply(List.of(Mark.look("start"))).subscribe().with(done -> {}));
        threads = Runnable::run;
        later.removeFirst().run();
        assertThat(second)
                .singleElement()
                .isInstanceOfSatisfying(
                        Ended.Failed.class,
                        failed -> assertThat(failed.sentence())
                                .contains(
                                        "an earlier reconcile hangs (waiting for app/web since 2026-11-29T03:00:00Z)"));
        assertThat(runs).hasSize(1);
        applier = (declaration, insisted, run) -> updated();
        assertThat(pass()).isInstanceOf(Ended.Applied.class);
    }

    @Test
    void aFetchEndsWhereItIsWhenTheHostStops() {
        applier = (declaration, insisted, run) -> {
            run.progress().at("fetching web", 10, 100);
            stopping = true;
            run.progress().at("fetching web", 20, 100);
            return updated();
        };
        assertThat(pass())
                .isInstanceOfSatisfying(
                        Ended.Failed.class,
                        failed -> assertThat(failed.sentence())
                                .contains("cannot finish fetching web: the host is stopping"));
    }

    @Test
    void whatNobodyAskedForIsUnasked() {
        pass("every 10m");
        pass();
        reconcile.apply(List.of(Mark.change("declaration changed"))).await().indefinitely();
        reconcile
                .apply(List.of(Mark.look("every 10m"), Mark.look("HUP").asked()))
                .await()
                .indefinitely();
        assertThat(options).extracting(Options::unasked).containsExactly(true, false, true, false);
    }

    @Test
    void theWorkIsToldToStop() {
        stopping = true;
        pass("start");
        assertThat(runs.getFirst().stopping().getAsBoolean()).isTrue();
    }
}
