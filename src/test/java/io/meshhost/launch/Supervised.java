package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhost.machine.services.ProcessTable;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * The supervisor's loop in this process, with real fake hosts: shell scripts that note their pid in {@code pids} and what
 * else they like in {@code log}.
 */
final class Supervised implements AutoCloseable {
    final VersionsRoom room;
    final List<String> said = new CopyOnWriteArrayList<>();
    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();
    private CompletableFuture<Integer> ended = CompletableFuture.completedFuture(0);
    private Launcher launcher;

    Supervised(Path folder) {
        this.folder = folder;
        this.room = new VersionsRoom(folder);
        set("STATE_DIR", room.state().toString());
        set("LIBEXEC", folder.resolve("libexec").toString());
        set("BIN", room.placed().toString());
        set("CONTROL", folder.resolve("c/s").toString());
        set("BACKOFF", "0.02");
        this.launcher = make();
    }

    Supervised set(String name, String value) {
        environment.put("MESH_HOST_" + name, value);
        return this;
    }

    /** A host that notes its pid and then does that, in a shell. */
    Supervised host(String name, String script) {
        room.deliver(name, "#!/bin/sh\n# " + name + "\ncd '" + folder + "' && echo $$ >> pids\n" + script + "\n", 100);
        return this;
    }

    Map<String, String> environment() {
        return environment;
    }

    private Launcher make() {
        return Launcher.real(NoHostEnv.settings(environment), environment, said::add);
    }

    Supervised start() {
        launcher = make();
        ended = CompletableFuture.supplyAsync(
                this::supervise, task -> Thread.ofPlatform().start(task));
        return this;
    }

    private int supervise() {
        try {
            return launcher.supervise();
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    void term() {
        launcher.term();
    }

    void hangUp() {
        launcher.hangUp();
    }

    /** The exit status, once it has one. */
    int status() throws Exception {
        return ended.get(60, TimeUnit.SECONDS);
    }

    boolean ended() {
        return ended.isDone();
    }

    Path socket() {
        return folder.resolve("c/launcher.sock");
    }

    /** What the supervisor answers to {@code status}. */
    String asked() {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
            channel.write(ByteBuffer.wrap("status\n".getBytes(StandardCharsets.UTF_8)));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "no answer: " + e.getMessage();
        }
    }

    /** A connection as a host has one. */
    SocketChannel line() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(socket()));
    }

    static void say(SocketChannel line, String words) throws IOException {
        line.write(ByteBuffer.wrap((words + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    /** Waits until the answer to {@code status} has that in it. */
    void until(String part) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(asked()).contains(part));
    }

    List<String> lines(String name) {
        try {
            Path file = folder.resolve(name);
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    void untilLogged(String... lines) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(lines("log")).contains(lines));
    }

    /** Fake hosts that live; one that has ended and that nobody has asked for is dead. */
    List<ProcessHandle> alive() {
        ProcessTable processes = new ProcessTable(Path.of("/proc"));
        return lines("pids").stream()
                .filter(pid -> processes
                        .entry(Integer.parseInt(pid))
                        .filter(entry -> !entry.dead())
                        .isPresent())
                .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                .toList();
    }

    @Override
    public void close() {
        launcher.term();
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            alive().forEach(ProcessHandle::destroyForcibly);
            return ended.isDone() && alive().isEmpty();
        });
    }
}
