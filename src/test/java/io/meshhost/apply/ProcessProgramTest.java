package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.ProcessBox;
import io.meshhost.apply.testing.ProcessDraft;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the first word of run means. */
class ProcessProgramTest {
    @TempDir
    Path root;

    private ProcessBox box;
    private String bundle;

    @BeforeEach
    void bundles() {
        box = new ProcessBox(root);
        bundle = box.bundles.publish(
                "1", Map.of("bin/", "", "bin/app*", "x", "tool*", "x", "data", "x", "version", "v1"));
        box.programs.put("tool", Path.of("/usr/bin/tool"));
    }

    private void stored() {
        box.bundles.fetch(URI.create("https://bundles.invalid"), bundle, io.meshhost.machine.Progress.NONE);
    }

    private Change plan(String word) {
        return box.plan(ProcessDraft.of(bundle).run(word).build());
    }

    @ParameterizedTest
    @CsvSource({
        "/opt/app,            /opt/app",
        "bin/app,             WEB/bin/app",
        "./bin/app,           WEB/bin/app",
        "tool,                WEB/tool",
        "./tool,              WEB/tool",
        "sh,                  /usr/bin/sh"
    })
    void aWordIsFound(String word, String expected) {
        stored();
        String path = expected.replace("WEB", box.tree("web").toString());
        assertThat(plan(word).diff().lines()).contains("+run " + path);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bin/none | cannot run bin/none: the bundle has no such file; correct run, or put the file into the bundle",
                "none     | cannot run none: it is neither in the bundle's root nor in the machine's system directories; install it, or give its absolute path",
                "./data   | cannot run ./data: it is not executable in the bundle; set its x bit (chmod +x) and publish the bundle again",
                "data     | cannot run data: it is not executable in the bundle; set its x bit (chmod +x) and publish the bundle again",
                "./bin    | cannot run ./bin: it is a directory in the bundle; name a program in it",
                "../app   | cannot run ../app: it leads out of the bundle; name a file of the bundle, or an absolute path of the machine",
                "a/../../b| cannot run a/../../b: it leads out of the bundle; name a file of the bundle, or an absolute path of the machine"
            })
    void aWordThatLeadsNowhereIsAFailureOfThePlan(String word, String sentence) {
        stored();
        Change plan = plan(word);
        assertThat(plan.action()).isEqualTo(Action.FAILED);
        assertThat(plan.detail()).isEqualTo(sentence);
    }

    @Test
    void aBareNameIsAskedAgainOnceTheBundleIsHere() {
        assertThat(plan("tool").diff().lines()).contains("+run /usr/bin/tool");
        box.apply(ProcessDraft.of(bundle).run("tool").build());
        assertThat(box.services.running("web.service")).get().asString().contains("run " + box.tree("web") + "/tool");
        assertThat(box.apply(ProcessDraft.of(bundle).run("tool").build()).action())
                .isEqualTo("unchanged");
    }

    @Test
    void aProgramThatTheFetchedBundleDoesNotHaveIsAFailureThatLeavesNothing() {
        assertThat(box.apply(ProcessDraft.of(bundle).run("bin/none").build()).error())
                .isEqualTo("cannot run bin/none: the bundle has no such file; correct run, or put the file into the"
                        + " bundle; nothing was started, and nothing of it stays");
        assertThat(box.tree("web")).doesNotExist();
        assertThat(box.tree("web").resolveSibling(".web.mesh-new")).doesNotExist();
        assertThat(box.unit("web.service")).doesNotExist();
    }

    @Test
    void aProgramOfTheMachineThatMovedIsAnUpdate() {
        stored();
        box.apply(ProcessDraft.of(bundle).run("sh").build());
        box.programs.put("sh", Path.of("/usr/local/bin/sh"));
        assertThat(box.apply(ProcessDraft.of(bundle).run("sh").build()).action())
                .isEqualTo("updated");
        assertThat(box.services.running("web.service")).get().asString().contains("run /usr/local/bin/sh");
    }
}
