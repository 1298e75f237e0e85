package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessTableTest {
    @TempDir
    Path proc;

    private void process(int pid, int parent, int session, long started, String environ) throws IOException {
        Path directory = Files.createDirectories(proc.resolve("" + pid));
        Files.writeString(
                directory.resolve("stat"),
                pid + " (a) b) S " + parent + " " + session + " " + session + " 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 "
                        + started + " 1 1\n");
        Files.writeString(directory.resolve("environ"), environ);
    }

    private int[] tree(int main, long started, String mark) {
        return new ProcessTable(proc)
                .tree(main, started, mark).stream()
                        .mapToInt(ProcessTable.Entry::pid)
                        .sorted()
                        .toArray();
    }

    @Test
    void aNameWithBlanksAndParenthesesIsNoFieldOfItsOwn() {
        assertThat(ProcessTable.parse("7 (x) R 1 (y)) Z 3 4 5 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 99 0"))
                .contains(new ProcessTable.Entry(7, 3, 5, 99, true));
        assertThat(ProcessTable.parse("7 (x) S 3")).isEqualTo(Optional.empty());
    }

    @Test
    void aTreeIsTheMainProcessItsDescendantsItsSessionAndWhatCarriesItsMark() throws IOException {
        process(10, 1, 10, 500, "A=1\0INVOCATION_ID=cafe\0");
        process(11, 10, 11, 510, "");
        process(12, 11, 12, 520, "");
        process(13, 1, 10, 530, "");
        process(14, 1, 14, 540, "INVOCATION_ID=cafe\0B=2\0");
        process(15, 1, 15, 550, "INVOCATION_ID=other\0");
        process(16, 1, 16, 560, "XINVOCATION_ID=cafe\0");

        assertThat(tree(10, 500, "cafe")).containsExactly(10, 11, 12, 13, 14);
    }

    @Test
    void aStrangerWithTheSameNumberIsLeftAlone() throws IOException {
        process(10, 1, 10, 900, "");
        process(11, 10, 10, 910, "");

        assertThat(tree(10, 500, "cafe")).isEmpty();
    }

    @Test
    void whatIsOlderThanTheRunIsNeverPartOfIt() throws IOException {
        process(20, 1, 10, 400, "INVOCATION_ID=cafe\0");

        assertThat(tree(10, 500, "cafe")).isEmpty();
    }

    @Test
    void aRunWhosePidIsUnknownIsFoundByItsMark() throws IOException {
        process(14, 1, 14, 540, "INVOCATION_ID=cafe\0");
        process(15, 1, 0, 550, "");

        assertThat(tree(0, 0, "cafe")).containsExactly(14);
    }

    @Test
    void thisMachineTellsItsBootAndOurselves() {
        ProcessTable table = new ProcessTable(Path.of("/proc"));
        int self = (int) ProcessHandle.current().pid();

        assertThat(table.bootId()).matches("[0-9a-f-]{36}");
        assertThat(table.entry(self)).hasValueSatisfying(entry -> {
            assertThat(entry.pid()).isEqualTo(self);
            assertThat(entry.started()).isPositive();
            assertThat(entry.dead()).isFalse();
        });
    }
}
