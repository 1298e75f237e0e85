package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.ProcessBox;
import io.meshhost.apply.testing.ProcessBox.Told;
import io.meshhost.apply.testing.ProcessDraft;
import io.meshhost.declaration.Resource.ProcessResource;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new version that fails does not interrupt the old one at every reconcile. */
class ProcessFailedTest {
    private static final Instant NOON = Instant.parse("2027-03-01T12:00:00Z");

    @TempDir
    Path root;

    private ProcessBox box;
    private ProcessResource good;
    private ProcessResource bad;

    @BeforeEach
    void aVersionThatRunsAndOneThatCannot() {
        box = new ProcessBox(root);
        good = ProcessDraft.of(publish("1", "v1")).build();
        bad = ProcessDraft.of(publish("3", "crash at once")).build();
        box.apply(good);
        assertThat(box.apply(bad).error()).contains("the old version was put back and runs again");
        box.unasked = true;
        box.services.calls.clear();
    }

    private String publish(String digit, String version) {
        return box.bundles.publish(digit, Map.of("bin/", "", "bin/app*", "x", "version", version));
    }

    @Test
    void unaskedItIsLeftAloneUntilItsTimeHasCome() {
        Told told = box.apply(bad);
        assertThat(told.action()).isEqualTo("failed");
        assertThat(told.error())
                .isEqualTo("cannot run the new version of web: it failed and the old one runs on; it is tried again"
                        + " after 2027-03-01T12:10:00Z, or at once by apply");
        assertThat(box.services.calls).isEmpty();
        box.now = NOON.plus(Duration.ofMinutes(10));
        assertThat(box.apply(bad).error()).contains("the old version was put back and runs again");
        assertThat(box.apply(bad).error()).contains("it failed 2 times").contains("after 2027-03-01T12:30:00Z");
    }

    @Test
    void whoAsksGetsATryAtOnce() {
        box.unasked = false;
        assertThat(box.apply(bad).error()).contains("the old version was put back and runs again");
        assertThat(box.services.calls).isNotEmpty();
    }

    @Test
    void anotherVersionIsTriedAtOnceAndAnOldOneTakenBack() {
        ProcessResource better = ProcessDraft.of(publish("5", "v2")).build();
        assertThat(box.apply(better).error()).isEmpty();
        assertThat(box.tree("web").resolve("version")).hasContent("v2");
        assertThat(box.apply(bad).error()).contains("the old version was put back and runs again");
        assertThat(box.apply(better).error()).isEmpty();
        assertThat(box.apply(better).action()).isEqualTo("unchanged");
    }

    @Test
    void whereTheOldOneDoesNotRunEitherThereIsNothingToSpare() {
        box.services.stop("web.service");
        assertThat(box.apply(bad).error()).doesNotContain("is tried again");
    }

    @Test
    void thePauseDoublesUpToSixHours() {
        List<Duration> pauses = new ArrayList<>();
        Optional<ProcessFailed> failed = Optional.empty();
        for (int i = 0; i < 9; i++) {
            failed = Optional.of(ProcessFailed.again(failed, "w", NOON));
            pauses.add(Duration.between(NOON, failed.get().next()));
        }
        assertThat(pauses.stream().map(Duration::toMinutes))
                .containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 360L, 360L, 360L);
        assertThat(ProcessFailed.again(failed, "other", NOON).tries()).isEqualTo(1);
    }

    @Test
    void aClockThatWasSetBackPutsNothingOff() {
        ProcessFailed failed = ProcessFailed.again(Optional.empty(), "w", NOON);
        assertThat(failed.rests(NOON)).isTrue();
        assertThat(failed.rests(failed.next())).isFalse();
        assertThat(failed.rests(NOON.minus(Duration.ofDays(1)))).isFalse();
    }
}
