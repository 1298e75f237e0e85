package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.ProcessBox;
import io.meshhost.apply.testing.ProcessBox.Told;
import io.meshhost.apply.testing.ProcessDraft;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A secret reaches the process and is seen nowhere else. */
class ProcessSecretTest {
    @TempDir
    Path root;

    private ProcessBox box;
    private String v1;

    @BeforeEach
    void bundles() {
        box = new ProcessBox(root);
        v1 = box.bundles.publish("1", Map.of("bin/", "", "bin/app*", "x", "version", "v1"));
    }

    private Path file() {
        return root.resolve("state/secrets/web.env");
    }

    private ProcessDraft web(String secret) {
        return ProcessDraft.of(v1).secret("KEY", secret);
    }

    @Test
    void itLiesInAFileThatOnlyRootReadsInAFolderThatOnlyRootEnters() throws IOException {
        box.apply(web("hunter2").build());
        assertThat(file()).content().contains("hunter2");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void itIsNotInPlanUnitRecordOrOutcome() throws IOException {
        Change plan = box.plan(web("hunter2").build());
        Told result = box.apply(web("hunter2").build());
        assertThat(plan.toString()).doesNotContain("hunter2");
        assertThat(plan.diff().lines()).contains("/state/secrets/web.env: secrets, new");
        assertThat(result.toString()).doesNotContain("hunter2");
        assertThat(box.record.applied().toString()).doesNotContain("hunter2").contains("secret KEY (keyed digest ");
        assertThat(box.unit("web.service")).content().doesNotContain("hunter2");
    }

    @Test
    void aChangedSecretRestartsTheProcessAndShowsNeitherTheOldNorTheNew() {
        box.apply(web("hunter2").build());
        Change plan = box.plan(web("hunter3").build());
        assertThat(plan.action()).isEqualTo(Action.UPDATED);
        assertThat(plan.toString()).doesNotContain("hunter");
        assertThat(plan.diff().lines()).containsExactly("/state/secrets/web.env: secrets, changed");
        box.services.calls.clear();
        box.apply(web("hunter3").build());
        assertThat(box.services.calls).contains("restart web.service").doesNotContain("reload");
        assertThat(file()).content().contains("hunter3");
        assertThat(file().resolveSibling(".web.env.mesh-old")).doesNotExist();
    }

    @Test
    void anUnchangedSecretIsUnchanged() {
        box.apply(web("hunter2").build());
        assertThat(box.apply(web("hunter2").build()).action()).isEqualTo("unchanged");
    }

    @Test
    void aStepsSecretIsAnIdentityToo() {
        box.apply(web("hunter2").once().build());
        assertThat(box.apply(web("hunter2").once().build()).action()).isEqualTo("unchanged");
        Change plan = box.plan(web("hunter3").once().build());
        assertThat(plan.action()).isEqualTo(Action.UPDATED);
        assertThat(plan.toString()).doesNotContain("hunter");
    }

    @Test
    void theOldSecretComesBackWithTheOldVersion() {
        box.apply(web("hunter2").build());
        String crash = box.bundles.publish("3", Map.of("bin/", "", "bin/app*", "x", "version", "crash"));
        box.apply(ProcessDraft.of(crash).secret("KEY", "hunter3").build());
        assertThat(file()).content().contains("hunter2");
        assertThat(file().resolveSibling(".web.env.mesh-old")).doesNotExist();
    }

    @Test
    void aSecretOfAFailedNewVersionDoesNotStay() {
        box.apply(ProcessDraft.of(v1).build());
        String crash = box.bundles.publish("3", Map.of("bin/", "", "bin/app*", "x", "version", "crash"));
        box.apply(ProcessDraft.of(crash).secret("KEY", "hunter3").build());
        assertThat(file()).doesNotExist();
    }

    @Test
    void aSecretNoLongerDeclaredGoes() {
        box.apply(web("hunter2").build());
        Told result = box.apply(ProcessDraft.of(v1).build());
        assertThat(result.plan().diff().lines()).contains("/state/secrets/web.env: secrets, removed");
        assertThat(file()).doesNotExist();
        assertThat(file().resolveSibling(".web.env.mesh-old")).doesNotExist();
    }

    @Test
    void aSecretFileDeletedByHandIsWrittenAgain() throws IOException {
        box.apply(web("hunter2").build());
        Files.delete(file());
        assertThat(box.apply(web("hunter2").build()).action()).isEqualTo("updated");
        assertThat(file()).content().contains("hunter2");
    }

    @Test
    void noRecordOfAProcessPrintsItsSecrets() {
        assertThat(web("hunter2").build().toString()).doesNotContain("hunter2");
    }
}
