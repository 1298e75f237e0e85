package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextDiffTest {
    @Test
    void aLineThatLosesItsNewlineIsADifference() {
        assertThat(TextDiff.of("/a", "one\ntwo\n", "one\ntwo"))
                .containsExactly("--- /a", "+++ /a", "@@ -1,2 +1,2 @@", " one", "-two", "+two (no newline at the end)");
    }

    @Test
    void largeTextsAreToldByTheirSizesAndNotCompared() {
        String large = "x".repeat(256 * 1024 + 1);
        assertThat(TextDiff.of("/a", large, "y")).containsExactly("(too large to show: 262145 -> 1 bytes)");
        assertThat(TextDiff.of("/a", "", large)).containsExactly("(too large to show: 0 -> 262145 bytes)");
        assertThat(TextDiff.of("/a", "x\n".repeat(4001), "y")).containsExactly("(too large to show: 4001 -> 1 lines)");
    }

    @Test
    void whatIsShownIsBoundedInLinesAndInWidth() {
        List<String> lines = TextDiff.of("/a", "", "x".repeat(1000) + "\n" + "y\n".repeat(300));
        assertThat(lines).hasSize(201).last().isEqualTo("(104 more lines)");
        assertThat(lines.get(3)).isEqualTo("+" + "x".repeat(399) + " (601 more characters)");
    }
}
