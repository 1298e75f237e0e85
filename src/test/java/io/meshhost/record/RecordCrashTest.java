package io.meshhost.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.record.Applied.State;
import io.meshhost.testing.Shell;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A writer killed with SIGKILL at any moment: what it committed is there, and no half of anything. */
class RecordCrashTest {
    /** Each costs the start of a JVM. */
    private static final int ROUNDS = Boolean.getBoolean("full") ? 200 : 10;

    @TempDir
    Path dir;

    private Path lib() {
        return dir.resolve("lib");
    }

    /** The last number that the program said before it was killed, at a moment that the random numbers choose. */
    private int killed(Random random, String... arguments) throws IOException, InterruptedException {
        Process process = child(arguments);
        int last = -1;
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            for (int lines = 1 + random.nextInt(40); lines > 0; lines--) {
                last = step(said.readLine());
            }
            // It goes on while this waits; it never ends by itself.
            assertThat(process.waitFor(random.nextInt(20_000), TimeUnit.MICROSECONDS))
                    .isFalse();
            // By its handle: a Process that is destroyed also closes the stream, and with it the last words.
            process.toHandle().destroyForcibly();
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                last = step(line);
            }
        }
        assertThat(process.waitFor()).isEqualTo(128 + 9);
        return last;
    }

    private static int step(String line) {
        assertThat(line).as("the program said").matches("[0-9]+");
        return Integer.parseInt(line);
    }

    private static Process child(String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                CrashingWriter.class.getName()));
        words.addAll(List.of(arguments));
        return new ProcessBuilder(words).redirectErrorStream(true).start();
    }

    private int holdsAllAndNoHalf(Path database, int said) {
        assertThat(RecordStores.state(database, lib(), List.of())).isEqualTo(new RecordState.Fine());
        try (RecordStore record = RecordStores.open(database, lib(), true)) {
            Map<String, Applied> rows = record.applied();
            int step = CrashingWriter.stepOf(rows);
            // A transaction may have reached the disk and its writer not yet said so.
            assertThat(step).isBetween(said, said + 1);
            Map<String, State> states = new TreeMap<>();
            rows.forEach((id, row) -> states.put(id, row.state()));
            assertThat(states).isEqualTo(CrashingWriter.after(step));
            for (String id : rows.keySet()) {
                assertThat(record.contentBefore(id))
                        .hasValueSatisfying(content -> assertThat(content).isEqualTo(CrashingWriter.contentOf(id)));
            }
            // The debt of the batch before was paid in the transaction that made this one.
            assertThat(record.owed()).hasSize(step == 0 ? 0 : 1);
            return step;
        }
    }

    @Test
    void everyCommittedTransactionIsThereAndNoneByHalf() throws Exception {
        Path database = dir.resolve("state/record.db");
        Random random = new Random(1);
        int logs = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int said = killed(random, "write", database.toString(), lib().toString());
            logs += Files.exists(Database.suffixed(database, "-wal")) ? 1 : 0;
            if (random.nextInt(3) == 0) {
                // Of no worth after a kill, whatever stands in it.
                Files.write(Database.suffixed(database, "-shm"), new byte[random.nextInt(70_000)]);
            }
            int step = holdsAllAndNoHalf(database, said);
            if (random.nextInt(3) == 0) {
                folded(database, step);
            }
        }
        assertThat(logs).as("kills that left a log").isPositive();
    }

    /** A writer that closes in peace leaves one file, which is the whole truth. */
    private void folded(Path database, int step) {
        try (RecordStore record = RecordStores.open(database, lib(), true)) {
            record.serial(step);
        }
        assertThat(Database.suffixed(database, "-wal")).doesNotExist();
        holdsAllAndNoHalf(database, step);
    }

    @Test
    void aRecordWhoseFirstWriteWasCutShortIsWholeOrNotThere() throws Exception {
        Random random = new Random(2);
        Path top = dir.resolve("new");
        for (int round = 0; round < ROUNDS / 2; round++) {
            int said = killed(random, "create", top.toString(), lib().toString());
            for (int made = 0; made <= said; made++) {
                holdsAllAndNoHalf(top.resolve(made + "/record.db"), 0);
            }
            Path database = top.resolve(said + 1 + "/record.db");
            RecordState state = RecordStores.state(database, lib(), List.of());
            assertThat(state).isIn(new RecordState.Absent(), new RecordState.Fine());
            try (RecordStore record = RecordStores.open(database, lib(), true)) {
                assertThat(CrashingWriter.stepOf(record.applied())).isIn(-1, 0);
                record.serial(1);
            }
            assertThat(RecordStores.state(database, lib(), List.of())).isEqualTo(new RecordState.Fine());
            assertThat(database.resolveSibling(".").toFile().list()).containsExactly("record.db");
            Shell.must("rm", "-r", top.toString());
        }
    }
}
