package io.meshhost.control;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;

import io.meshhost.apply.Options;
import io.meshhost.apply.Outcome;
import io.meshhost.apply.Report;
import io.meshhost.converge.Board;
import io.meshhost.converge.Daemon;
import io.meshhost.converge.DeclarationPlace;
import io.meshhost.converge.HostStatus;
import io.meshhost.converge.Parts;
import io.meshhost.converge.Supervised;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Fault;
import io.meshhost.declaration.Reading;
import io.meshhost.launch.Versions;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.machine.SystemTicker;
import io.meshhost.record.HistoryEntry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The routes over loopback, as the test profile has them; the daemon applies to a machine of paper. One life, in order. */
@QuarkusTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("NullAway.Init")
class ControlResourceTest {
    @Inject
    Daemon daemon;

    /** For the whole life: one of each test would be gone with the declaration in it. */
    @TempDir
    static Path dir;

    private final AtomicBoolean failing = new AtomicBoolean();
    private final Deque<Options> options = new ConcurrentLinkedDeque<>();

    @Test
    @Order(1)
    void beforeTheFirstReconcileItIsAliveAndNotReady() {
        given().get("/q/health/live").then().statusCode(200);
        given().get("/q/health/ready").then().statusCode(503);
        given().get("/q/health/started").then().statusCode(503);
        given().get("/v1/status")
                .then()
                .statusCode(503)
                .body("error", equalTo("the host is starting; ask again in a moment"));
    }

    @Test
    @Order(2)
    void onceReconciledItIsReadyAndWell() throws IOException {
        Path file = Files.writeString(dir.resolve("d.yaml"), "modules: []\n");
        daemon.start(parts(file), () -> {});
        await(status -> status.reconciles() > 0);
        given().get("/q/health/started").then().statusCode(200);
        given().get("/q/health/ready").then().statusCode(200);
        given().get("/v1/status")
                .then()
                .statusCode(200)
                .contentType("application/json")
                .body("state", equalTo("well"))
                .body("node", equalTo("box"))
                .body("declaration.file", equalTo(file.toString()))
                .body("declaration.serial", equalTo(7))
                .body("last.why", contains("start"))
                .body("last.changed.id", contains("app/motd"))
                .body("reconciles", greaterThan(0));
        // Whoever starts it would have tried at once what failed before.
        assertThat(options.getFirst().unasked()).isFalse();
    }

    @Test
    @Order(3)
    void resourcesAndHistoryAreListed() {
        given().get("/v1/resources")
                .then()
                .statusCode(200)
                .body("id", contains("app/motd"))
                .body("action", contains("updated"));
        given().queryParam("id", "app/motd")
                .get("/v1/history")
                .then()
                .statusCode(200)
                .body("$", hasSize(1))
                .body("[0].number", equalTo(12))
                .body("[0].lines[0].action", equalTo("updated"));
    }

    @Test
    @Order(4)
    void anApplyAnswersWithItsReport() {
        given().contentType("application/json")
                .body("{\"force\": true}")
                .post("/v1/apply")
                .then()
                .statusCode(200)
                .body("ok", equalTo(true))
                .body("outcomes.id", contains("app/motd"));
        given().get("/v1/status").then().body("last.why", contains("apply"));
    }

    @Test
    @Order(5)
    void aReconcileIsAcceptedAndWhatItChangesIsDrift() {
        long before = daemon.status().orElseThrow().reconciles();
        given().post("/v1/reconcile").then().statusCode(202);
        await(status -> status.reconciles() > before);
        given().get("/v1/status").then().body("drift.mended.id", contains("app/motd"));
        assertThat(options.getLast().unasked()).isFalse();
    }

    @Test
    @Order(6)
    void aFailureIsToldAndTheHostStaysReady() {
        failing.set(true);
        given().contentType("application/json")
                .post("/v1/apply")
                .then()
                .statusCode(200)
                .body("ok", equalTo(false));
        given().get("/v1/status").then().body("state", equalTo("failed")).body("last.failed.id", contains("app/motd"));
        given().get("/q/health/ready").then().statusCode(200);
    }

    @Test
    @Order(7)
    void aRefusedDeclarationIsToldWithItsFaults() throws IOException {
        Files.writeString(dir.resolve("d.yaml"), "modules: [wrong]\n");
        await(status -> status.state().equals("refused"));
        given().contentType("application/json")
                .post("/v1/apply")
                .then()
                .statusCode(422)
                .body("ok", equalTo(false))
                .body("faults.line", contains(3));
        given().get("/v1/status").then().body("declaration.faults.pointer", contains("/modules/0"));
        given().get("/q/health/ready").then().statusCode(200);
    }

    @Test
    @Order(8)
    void aStoppedHostAppliesNothingMore() {
        daemon.stop();
        daemon.stop();
        given().contentType("application/json").post("/v1/apply").then().statusCode(503);
        given().get("/v1/status").then().body("state", equalTo("stopping"));
    }

    private void await(Predicate<HostStatus> level) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> level.test(daemon.status().orElseThrow()));
    }

    private Parts parts(Path file) {
        SystemTicker ticker = new SystemTicker();
        return new Parts(
                new Board.Identity("box", "1.2.3", 4711, "built-in", file.toString(), List.of()),
                new DeclarationPlace(List.of(file)),
                ControlResourceTest::read,
                (declaration, insisted, run) -> {
                    options.add(insisted);
                    return report();
                },
                (id, limit) -> List.of(new HistoryEntry(
                        12,
                        Instant.EPOCH,
                        "apply",
                        OptionalLong.of(7),
                        true,
                        3,
                        List.of(new HistoryEntry.Line("app/motd", "file", "updated", "content", "", 3)))),
                path -> false,
                ticker,
                Clock.systemUTC(),
                Duration.ofMinutes(10),
                supervised(ticker),
                () -> 0.5,
                () -> {},
                ticker::close);
    }

    private Supervised supervised(SystemTicker ticker) {
        io.meshhost.machine.Files files = new io.meshhost.machine.Files(dir, Probe.NONE);
        Places places = new Places(dir, dir.resolve("state"), dir, dir, dir.resolve("lib"), dir, Optional.empty());
        return new Supervised(
                new Supervised.Place(Optional.empty(), Optional.empty(), places.stateDir(), false, ""),
                new Versions(places, dir.resolve("none"), 3, files, ticker),
                ticker,
                () -> false);
    }

    private static Reading read(Path file) {
        try {
            return Files.readString(file).contains("wrong")
                    ? new Reading(
                            Optional.empty(), List.of(new Fault(file.toString(), 3, 1, "/modules/0", "wrong", false)))
                    : new Reading(Optional.of(new Declaration("box", OptionalLong.of(7), true, List.of())), List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Report report() {
        boolean fails = failing.get();
        Outcome outcome = fails
                ? new Outcome("app/motd", "file", "failed", "", "cannot write /etc/motd: the disk is full", 3)
                : new Outcome("app/motd", "file", "updated", "content", null, 3);
        return new Report(!fails, "box", 7L, List.of(outcome), Map.of(outcome.action(), 1), List.of());
    }
}
