package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.ProcessBox.Told;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A daemon that was stopped, disabled, edited or robbed of its files by others is mended. */
class ProcessDriftTest extends ProcessFixture {
    @Test
    void aStoppedDaemonIsStartedAgain() {
        box.apply(web(v1).build());
        box.services.die("web.service", "success");
        Told result = box.apply(web(v1).build());
        assertThat(result.action()).isEqualTo("updated");
        assertThat(result.detail()).isEqualTo("4 entries, running as web.service, it had stopped");
        assertThat(box.services.running()).contains("web.service");
    }

    @Test
    void aDaemonAtItsStartLimitIsStartedOnceWithItsReasonToldAndNeverReset() { // CR-13
        box.apply(web(v1).build());
        box.services.die("web.service", "start-limit-hit");
        Told result = box.apply(web(v1).build());
        assertThat(result.detail()).contains("it had failed (start-limit-hit)");
        assertThat(box.services.calls).filteredOn("start web.service"::equals).hasSize(1);
        assertThat(box.services.calls).noneMatch(call -> call.startsWith("forget"));
    }

    @Test
    void aDaemonThatWillNotStartAgainIsAFailureAndStaysInstalled() throws IOException {
        box.apply(web(v1).build());
        box.services.die("web.service", "exit-code");
        Files.writeString(box.tree("web").resolve("version"), "broken");
        Told result = box.apply(web(v1).build());
        assertThat(result.action()).isEqualTo("failed");
        assertThat(result.error())
                .isEqualTo("cannot start web.service: it is broken; it stays installed and is tried again by the next"
                        + " apply; it last said:\nlast words of web.service");
        assertThat(box.unit("web.service")).exists();
    }

    @Test
    void aDaemonDisabledByHandIsEnabledAgain() {
        box.apply(web(v1).build());
        box.services.enabled().clear();
        Told result = box.apply(web(v1).build());
        assertThat(result.detail()).endsWith("it was not enabled");
        assertThat(box.services.enabled()).containsExactly("web.service");
    }

    @Test
    void aUnitEditedByHandIsWrittenAgainAndItsProcessRestarted() throws IOException {
        box.apply(web(v1).build());
        String text = Files.readString(box.unit("web.service"));
        Files.writeString(box.unit("web.service"), text + "ExecStartPre=/bin/false\n");
        Told result = box.apply(web(v1).build());
        assertThat(result.detail()).endsWith("web.service did not say what it should");
        assertThat(box.unit("web.service")).hasContent(text.strip());
        assertThat(box.services.calls).contains("restart web.service");
    }

    @Test
    void aMissingFolderIsUnpackedAgainWithoutFetching() throws IOException {
        box.apply(web(v1).build());
        deleteTree(box.tree("web"));
        Told result = box.apply(web(v1).build());
        assertThat(result.detail()).contains("files of its bundle were gone");
        assertThat(box.tree("web").resolve("bin/app")).hasContent("one");
        assertThat(box.bundles.fetched).hasSize(1);
    }

    @Test
    void aMissingFileOfTheBundleIsUnpackedAgain() throws IOException {
        box.apply(web(v1).build());
        Files.delete(box.tree("web").resolve("old.txt"));
        Told result = box.apply(web(v1).build());
        assertThat(result.action()).isEqualTo("updated");
        assertThat(result.plan().diff().lines()).contains("  + old.txt");
        assertThat(box.tree("web").resolve("old.txt")).exists();
        assertThat(names()).containsExactly("web");
    }

    @Test
    void whatTheProcessWritesIntoItsFolderIsNoDrift() throws IOException {
        box.apply(web(v1).build());
        Files.writeString(box.tree("web").resolve("cache.db"), "its own");
        Files.writeString(box.tree("web").resolve("old.txt"), "changed by it");
        assertThat(box.apply(web(v1).build()).action()).isEqualTo("unchanged");
    }

    private static void deleteTree(Path tree) throws IOException {
        try (var all = Files.walk(tree)) {
            for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
