package io.meshhost.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhost.testing.Needs;
import io.meshhost.testing.Shell;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Development as a contributor does it: {@code ./mvnw quarkus:dev}, save a source file, see it live. */
@Tag("root")
class DevModeTest {
    private static final String BEFORE = "@Path(\"/v1\")";

    @Test
    void aSavedSourceFileIsLiveAtTheNextRequest() throws Exception {
        Needs.that(Files.exists(Path.of("target/quickstart/site.tar")), "target/quickstart (a build)");
        // A copy, since the test edits a source; short, since a unix socket's path lies below it.
        Path copy = Files.createTempDirectory("mhd");
        Shell.must("cp", "-a", "pom.xml", "mvnw", ".mvn", "src", "examples", "packaging", copy.toString());
        Path log = copy.resolve("dev.log");
        Process dev = new ProcessBuilder(
                        copy.resolve("mvnw").toString(),
                        "-B",
                        "compile",
                        "quarkus:dev",
                        "-Ddebug=false",
                        "-Dquarkus.analytics.disabled=true")
                .directory(copy.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            Path socket = copy.resolve("target/dev/run/mesh-host/control.sock");
            await().atMost(Duration.ofMinutes(4))
                    .failFast("quarkus:dev ended", () -> !dev.isAlive())
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(() -> assertThat(get(socket, "/v1/status")).contains("\"node\""));
            Path source = copy.resolve("src/main/java/io/meshhost/control/ControlResource.java");
            String text = Files.readString(source);
            assertThat(text).contains(BEFORE);

            Files.writeString(source, text.replace(BEFORE, "@Path(\"/v1-live\")"));

            await().atMost(Duration.ofMinutes(2))
                    .failFast("quarkus:dev ended", () -> !dev.isAlive())
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(
                            () -> assertThat(get(socket, "/v1-live/status")).contains("\"node\""));
        } catch (Throwable failed) {
            failed.addSuppressed(new AssertionError(Files.readString(log)));
            throw failed;
        } finally {
            dev.descendants().forEach(ProcessHandle::destroy);
            dev.destroy();
            assertThat(dev.waitFor(60, TimeUnit.SECONDS)).isTrue();
            Shell.must("rm", "-rf", copy.toString());
        }
    }

    private static String get(Path socket, String path) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            String request = "GET " + path + " HTTP/1.1\r\nHost: host\r\nConnection: close\r\n\r\n";
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
