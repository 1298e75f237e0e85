package io.meshhost.apply;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.apply.testing.ProcessWorld;
import io.meshhost.declaration.Resource;
import io.meshhost.declaration.Resource.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A step, which is run to its end once; the same under every supervisor, running or not. */
abstract class ProcessStepContract {
    @TempDir
    Path folder;

    ProcessWorld world;

    abstract ProcessWorld open() throws IOException;

    @BeforeEach
    void machine() throws IOException {
        world = open();
    }

    @AfterEach
    void nothingStays() {
        if (world != null) {
            world.report();
            world.close();
        }
    }

    private ProcessDraft step(String script) throws IOException {
        Bytes bundle = world.publish(Map.of("app*", "#!/bin/sh\n" + script));
        return ProcessDraft.of(bundle).named("mesh-step").run("./app").once().within(Duration.ofMinutes(1));
    }

    @Test
    void itRunsOnceAndAgainOnlyAfterItFailed() throws IOException {
        Path runs = folder.resolve("runs");
        Resource step = step("echo run >>" + runs + "\necho made\n[ -e " + folder + "/ready ]\n")
                .build();
        assertThat(world.apply(step).error()).contains("it ended with status 1").endsWith("made");
        Files.createFile(folder.resolve("ready"));
        assertThat(world.apply(step).detail()).endsWith("step completed; it last said:\nmade");
        assertThat(world.plan(step).pending()).isZero();
        assertThat(world.apply(step).action()).isEqualTo("unchanged");
        assertThat(Files.readAllLines(runs)).hasSize(2);
        assertThat(world.services().filesOf("mesh-step")).noneMatch(Files::exists);
    }

    @Test
    void itsLastFiftyLinesAreTold() throws IOException {
        Resource step = step("i=0\nwhile [ $i -lt 60 ]; do i=$((i + 1)); echo line $i; done\n")
                .build();
        List<String> told = world.apply(step).detail().lines().toList();
        assertThat(told).hasSize(51).startsWith(told.getFirst(), "line 11").endsWith("line 60");
    }

    @Test
    void oneThatTakesTooLongIsEndedWithAllItStarted() throws IOException {
        Path child = folder.resolve("child");
        Resource step = step("sleep 1000 & echo $! >" + child + "; echo waiting; wait\n")
                .within(Duration.ofSeconds(2))
                .build();
        assertThat(world.apply(step).error())
                .contains("it had not ended after 2 s")
                .endsWith("waiting");
        Path process = Path.of("/proc/" + Files.readString(child).strip());
        await().atMost(5, SECONDS).until(() -> !Files.exists(process));
    }

    @Test
    void itHasItsSecretsAndLeavesThemNowhere() throws IOException {
        Path seen = folder.resolve("seen");
        String word = "step-" + "secret";
        Resource step = step("printf %s \"$HIDDEN\" >" + seen + "\n")
                .secret("HIDDEN", word)
                .build();
        assertThat(world.apply(step).error()).isNull();
        assertThat(seen).hasContent(word);
        assertThat(world.state().resolve("secrets/mesh-step.env")).doesNotExist();
    }
}
