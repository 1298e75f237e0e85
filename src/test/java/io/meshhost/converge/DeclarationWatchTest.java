package io.meshhost.converge;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhost.machine.Ticker;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real inotify, real files; what is told is noted with the content at that moment. */
class DeclarationWatchTest {
    @TempDir
    Path dir;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final AtomicBoolean writing = new AtomicBoolean();
    private final List<DeclarationWatch> watches = new ArrayList<>();

    @AfterEach
    void close() {
        watches.forEach(DeclarationWatch::close);
    }

    private void start() throws IOException {
        DeclarationPlace place = new DeclarationPlace(List.of(dir.resolve("etc/declaration.json"), file()));
        DeclarationWatch watch = new DeclarationWatch(place, path -> writing.get(), clock(), () -> told.add(content()));
        watch.start();
        watches.add(watch);
    }

    private Path file() {
        return dir.resolve("etc/declaration.yaml");
    }

    private String content() {
        try {
            return Files.exists(file()) ? Files.readString(file()) : "absent";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static Ticker clock() {
        return new Ticker() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public Cancellable after(Duration delay, Runnable task) {
                throw new UnsupportedOperationException();
            }
        };
    }

    @Test
    void oneThatWasNeverStartedIsClosedToo() throws IOException {
        DeclarationWatch watch = new DeclarationWatch(
                new DeclarationPlace(List.of(file())), path -> false, clock(), () -> told.add(content()));
        watch.close();
        assertThat(told).isEmpty();
    }

    private void awaitTold(String... contents) {
        await().atMost(Duration.ofSeconds(20)).until(() -> told.size() >= contents.length);
        assertThat(told).containsExactly(contents);
    }

    @Test
    void whatIsThereAtTheStartIsToldOnce() throws IOException {
        write("one");
        start();
        awaitTold("one");
    }

    @Test
    void aDeclarationAndItsDirectoryThatAppearLaterAreSeen() throws IOException {
        start();
        awaitTold("absent");
        write("late");
        awaitTold("absent", "late");
    }

    @Test
    void aSlowWriterIsNeverReadHalfWay() throws IOException {
        write("one");
        start();
        awaitTold("one");
        writing.set(true);
        try (OutputStream out = Files.newOutputStream(file())) {
            out.write("tw".getBytes(StandardCharsets.UTF_8));
            out.flush();
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> watches.getFirst().beingWritten());
            assertThat(told).containsExactly("one");
            out.write("o".getBytes(StandardCharsets.UTF_8));
        }
        writing.set(false);
        awaitTold("one", "two");
    }

    @Test
    void aBurstOfWritesIsToldOnceAtItsEnd() throws IOException {
        write("0");
        start();
        awaitTold("0");
        writing.set(true);
        for (int i = 1; i <= 50; i++) {
            Files.writeString(file(), "," + i, APPEND);
        }
        writing.set(false);
        await().atMost(Duration.ofSeconds(20)).until(() -> told.size() == 2);
        assertThat(told.getLast()).endsWith(",50");
    }

    @Test
    void aReplacementByRenameIsSeen() throws IOException {
        write("one");
        start();
        awaitTold("one");
        Path aside = dir.resolve("etc/.declaration.new");
        Files.writeString(aside, "two");
        Files.move(aside, file(), ATOMIC_MOVE);
        awaitTold("one", "two");
    }

    @Test
    void aChangeBehindASymbolicLinkIsSeen() throws IOException {
        Path real = dir.resolve("checkout/v1.yaml");
        Files.createDirectories(real.getParent());
        Files.createDirectories(file().getParent());
        Files.writeString(real, "one");
        Files.createSymbolicLink(file(), real);
        start();
        awaitTold("one");
        Files.writeString(real, "two");
        awaitTold("one", "two");
        Path next = Files.writeString(dir.resolve("checkout/v2.yaml"), "three");
        Path link = Files.createSymbolicLink(dir.resolve("etc/link.new"), next);
        Files.move(link, file(), ATOMIC_MOVE);
        awaitTold("one", "two", "three");
    }

    @Test
    void aDeclarationThatGoesIsTold() throws IOException {
        write("one");
        start();
        awaitTold("one");
        Files.delete(file());
        awaitTold("one", "absent");
    }

    @Test
    void twoDeclarationsAreOneTooMany() throws IOException {
        write("one");
        Files.writeString(dir.resolve("etc/declaration.json"), "{}");
        assertThat(new DeclarationPlace(List.of(dir.resolve("etc/declaration.json"), file())).find())
                .isInstanceOfSatisfying(
                        DeclarationPlace.Found.Nothing.class,
                        nothing ->
                                assertThat(nothing.sentence()).contains("both").contains("remove one"));
    }

    private void write(String content) throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), content);
    }
}
