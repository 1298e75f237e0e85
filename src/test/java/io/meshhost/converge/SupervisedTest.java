package io.meshhost.converge;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.launch.Versions;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.testing.HandTicker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SPEC 1 from the host's side: ready, alive, known-good, standing aside. */
@SuppressWarnings("NullAway.Init")
class SupervisedTest {
    private static final Duration BEAT = Duration.ofSeconds(20);

    @TempDir
    Path dir;

    private final HandTicker ticker = new HandTicker();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final AtomicLong signs = new AtomicLong();
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicBoolean replaced = new AtomicBoolean();
    private final AtomicInteger aside = new AtomicInteger();
    private ServerSocketChannel server;
    private Supervised host;

    @BeforeEach
    void supervisor() throws IOException {
        Files.createDirectories(dir.resolve("state"));
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(dir.resolve("l.sock")));
        Thread.ofPlatform().daemon().start(this::listen);
        deliver("1");
        Places places = new Places(
                dir, dir.resolve("state"), dir, dir, dir.resolve("lib"), dir.resolve("c.sock"), Optional.empty());
        Versions versions =
                new Versions(places, dir.resolve("none"), 3, new io.meshhost.machine.Files(dir, Probe.NONE), ticker);
        host = new Supervised(
                new Supervised.Place(
                        Optional.of(dir.resolve("l.sock")),
                        Optional.of("1"),
                        dir.resolve("state"),
                        true,
                        "version bad"),
                versions,
                ticker,
                replaced::get);
    }

    @AfterEach
    void end() throws IOException {
        host.close();
        server.close();
    }

    private void listen() {
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(Channels.newInputStream(server.accept()), StandardCharsets.UTF_8))) {
            in.lines().forEach(heard::add);
        } catch (IOException closed) {
            heard.add("closed");
        }
    }

    private void deliver(String name) throws IOException {
        Path program = dir.resolve("lib/versions/" + name + "/nox-mesh-host");
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\n# " + name + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    private void begin() {
        host.begin(signs::get, busy::get, aside::incrementAndGet);
    }

    private String next() throws InterruptedException {
        return String.valueOf(heard.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void beforeItIsReadyOnlyProgressIsASignOfLife() throws InterruptedException {
        begin();
        assertThat(next()).isEqualTo("alive");
        ticker.advance(BEAT);
        signs.incrementAndGet();
        ticker.advance(BEAT);
        host.reconciled();
        assertThat(next()).isEqualTo("alive");
        assertThat(next()).isEqualTo("ready");
        ticker.advance(BEAT);
        assertThat(next()).isEqualTo("alive");
    }

    @Test
    void theFirstReconcileMakesItKnownGoodAndClearsTheFailures() throws IOException {
        Files.writeString(dir.resolve("state/start-attempts"), "2\n");
        Files.writeString(dir.resolve("state/rollback-attempted"), "");
        Files.writeString(dir.resolve("state/known-good"), "0\n1\nx\ny\n");
        begin();
        host.reconciled();
        assertThat(dir.resolve("state/start-attempts")).doesNotExist();
        assertThat(dir.resolve("state/rollback-attempted")).doesNotExist();
        assertThat(dir.resolve("state/known-good")).hasContent("1\n0\nx\n");
    }

    /** As on a read-only disk. */
    @Test
    void whereThatCannotBeWrittenALaterReconcileDoes() throws Exception {
        Path obstacle = Files.createDirectory(dir.resolve("state/versions.lock"));
        begin();
        host.reconciled();
        assertThat(next()).isEqualTo("alive");
        assertThat(next()).isEqualTo("ready");
        assertThat(dir.resolve("state/known-good")).doesNotExist();
        Files.delete(obstacle);
        host.reconciled();
        assertThat(dir.resolve("state/known-good")).hasContent("1\n");
    }

    @Test
    void anotherVersionIsStoodAsideForOnce() throws IOException {
        begin();
        host.reconciled();
        deliver("2");
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            ticker.advance(Duration.ofSeconds(1));
            assertThat(aside).hasValue(1);
        });
        ticker.advance(BEAT);
        assertThat(aside).hasValue(1);
    }

    @Test
    void theReconcileInHandIsFinishedFirst() throws IOException {
        busy.set(true);
        begin();
        deliver("2");
        ticker.advance(BEAT);
        assertThat(aside).hasValue(0);
        host.reconciled();
        busy.set(false);
        ticker.advance(Duration.ofSeconds(1));
        assertThat(aside).hasValue(1);
    }

    @Test
    void theFirstVersionOfAMachineIsSeenThoughItMakesTheDirectory() throws IOException {
        Files.move(dir.resolve("lib/versions"), dir.resolve("elsewhere"));
        Supervised placed = new Supervised(
                new Supervised.Place(Optional.empty(), Optional.empty(), dir.resolve("state"), true, ""),
                new Versions(
                        new Places(dir, dir.resolve("state"), dir, dir, dir.resolve("lib"), dir, Optional.empty()),
                        dir.resolve("none"),
                        3,
                        new io.meshhost.machine.Files(dir, Probe.NONE),
                        ticker),
                ticker,
                () -> false);
        placed.begin(signs::get, busy::get, aside::incrementAndGet);
        placed.reconciled();
        deliver("1");
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            ticker.advance(Duration.ofMillis(100));
            assertThat(aside).hasValue(1);
        });
        placed.close();
    }

    @Test
    void aPinIsObeyedAtOnce() throws IOException {
        Files.createDirectories(dir.resolve("lib/versions/1"));
        deliver("2");
        Files.writeString(dir.resolve("state/rollback-pinned"), "1\n");
        begin();
        host.reconciled();
        ticker.advance(BEAT);
        assertThat(aside).hasValue(0);
        Files.writeString(dir.resolve("state/rollback-pinned"), "2\n");
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(aside).hasValue(1));
    }

    @Test
    void nothingIsStoodAsideForBeforeTheMachineWasConvergedOnce() throws IOException {
        begin();
        deliver("2");
        ticker.advance(BEAT);
        assertThat(aside).hasValue(0);
        host.reconciled();
        ticker.advance(Duration.ofSeconds(1));
        assertThat(aside).hasValue(1);
    }

    @Test
    void whatTheSupervisorGaveUpOnAFullDiskIsNotStoodAsideFor() throws IOException {
        begin();
        host.reconciled();
        deliver("bad");
        ticker.advance(BEAT);
        assertThat(aside).hasValue(0);
    }

    @Test
    void theSameNameWithOtherBytesIsAnotherVersion() throws IOException {
        begin();
        host.reconciled();
        ticker.advance(BEAT);
        assertThat(aside).hasValue(0);
        Files.move(dir.resolve("lib/versions/1"), dir.resolve("old"));
        deliver("1");
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            ticker.advance(Duration.ofMillis(100));
            assertThat(aside).hasValue(1);
        });
    }

    // SU-26
    @Test
    void aHostWhoseJavaWasReplacedMakesRoomForAFreshOne() {
        begin();
        host.reconciled();
        replaced.set(true);
        ticker.advance(BEAT);
        assertThat(aside).hasValue(1);
    }

    @Test
    void aSupervisorThatIsGoneIsNoFault() throws IOException {
        server.close();
        begin();
        host.reconciled();
        ticker.advance(BEAT);
        assertThat(dir.resolve("state/known-good")).hasContent("1\n");
    }
}
