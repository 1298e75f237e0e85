package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.ProcessBox;
import io.meshhost.apply.testing.ProcessBox.Told;
import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.record.Applied;
import io.meshhost.record.RecordStore.Beginning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no longer declared goes whole, in an order in which nothing can start in between. */
class ProcessRemovalTest {
    @TempDir
    Path root;

    private ProcessBox box;
    private String v1;

    @BeforeEach
    void bundles() {
        box = new ProcessBox(root);
        v1 = box.bundles.publish("1", Map.of("bin/", "", "bin/app*", "x", "version", "v1"));
    }

    @Test
    void aDaemonIsStoppedAndEverythingOfItGoes() {
        box.apply(ProcessDraft.of(v1).secret("KEY", "s3cret").build());
        Told result = box.undeclare("demo/web");
        assertThat(result.action()).isEqualTo("removed");
        assertThat(result.detail()).isEqualTo("stopped; its unit and its bundle removed");
        assertNothingLeft();
    }

    @Test
    void theOrderLeavesNoGapForATimerToStartAnything() { // SV-04
        box.apply(ProcessDraft.of(v1).at("0 3 * * *").build());
        box.services.calls.clear();
        box.undeclare("demo/web");
        assertThat(box.services.calls)
                .containsExactly(
                        "stop web.timer",
                        "disable web.timer",
                        "stop web.service",
                        "disable web.service",
                        "reload",
                        "forget web.timer",
                        "forget web.service");
        assertNothingLeft();
    }

    @Test
    void aFailedUnitLeavesNoEntry() {
        box.apply(ProcessDraft.of(v1).build());
        box.services.die("web.service", "exit-code");
        box.undeclare("demo/web");
        assertNothingLeft();
    }

    @Test
    void aStepHasOnlyItsFolder() {
        box.apply(ProcessDraft.of(v1).once().build());
        box.services.calls.clear();
        assertThat(box.undeclare("demo/web").action()).isEqualTo("removed");
        assertThat(box.services.calls).isEmpty();
        assertNothingLeft();
    }

    @Test
    void whatIsGoneAlreadyIsForgotten() throws IOException {
        box.apply(ProcessDraft.of(v1).build());
        box.services.stop("web.service");
        box.services.disable("web.service");
        Files.delete(box.unit("web.service"));
        deleteTree(box.tree("web"));
        box.services.reload();
        Told result = box.undeclare("demo/web");
        assertThat(result.action()).isEqualTo("forgotten");
        assertThat(result.detail()).isEqualTo("no longer there");
    }

    @Test
    void aUnitThatOnlyRunsAnyMoreIsStopped() throws IOException {
        box.apply(ProcessDraft.of(v1).build());
        Files.delete(box.unit("web.service"));
        deleteTree(box.tree("web"));
        assertThat(box.undeclare("demo/web").action()).isEqualTo("removed");
        assertNothingLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../etc", "a/b", "", "a b", ".", "..", ".hidden", "a\tb", "Web"})
    void aNameThatCouldClimbIsNotActedOn(String name) {
        box.record.begin(List.of(new Beginning(Applied.first("demo/web", "process", name, "{}"), Optional.empty())));
        Told result = box.undeclare("demo/web");
        assertThat(result.action()).isEqualTo("failed");
        assertThat(result.error()).endsWith("it is no name of a process; correct the record, nothing was touched");
        assertThat(box.services.calls).isEmpty();
    }

    @Test
    void aUnitThatIsSomebodyElsesByNowStays() throws IOException {
        box.apply(ProcessDraft.of(v1).build());
        Files.writeString(box.unit("web.service"), "[Service]\nExecStart=/bin/true\n");
        box.services.calls.clear();
        Told result = box.undeclare("demo/web");
        assertThat(result.detail()).contains("is somebody else's by now and stays");
        assertThat(box.unit("web.service")).exists();
        assertThat(box.tree("web")).doesNotExist();
        assertThat(box.services.calls).isEmpty();
    }

    @Test
    void whatAnInterruptedChangeLeftGoesToo() throws IOException {
        box.apply(ProcessDraft.of(v1).build());
        Files.createDirectories(box.tree(".web.mesh-old").resolve("x"));
        Files.createDirectories(box.tree(".web.mesh-new"));
        box.undeclare("demo/web");
        assertNothingLeft();
    }

    @Test
    void theFoldersOfOthersStay() {
        box.apply(ProcessDraft.of(v1).build());
        box.apply(ProcessDraft.of(v1).id("demo/api").named("api").build());
        box.undeclare("demo/web");
        assertThat(box.tree("api").resolve("bin/app")).exists();
        assertThat(box.services.running()).containsExactly("api.service");
    }

    private void assertNothingLeft() {
        assertThat(box.services.running()).isEmpty();
        assertThat(box.services.enabled()).isEmpty();
        assertThat(box.services.failed()).isEmpty();
        assertThat(List.of("units", "daemons", "state/secrets").stream()
                        .map(root::resolve)
                        .filter(Files::exists)
                        .flatMap(ProcessRemovalTest::names))
                .isEmpty();
    }

    private static java.util.stream.Stream<String> names(Path folder) {
        try (var all = Files.list(folder)) {
            return all.map(Path::toString).toList().stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void deleteTree(Path tree) throws IOException {
        try (var all = Files.walk(tree)) {
            for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
