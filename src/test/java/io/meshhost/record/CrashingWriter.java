package io.meshhost.record;

import io.meshhost.record.Applied.State;
import io.meshhost.record.RecordStore.Beginning;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A program that writes to a record until it is killed, and says each step on stdout once its transaction returned.
 *
 * <p>Step {@code 2n} begins the rows of batch {@code n}; step {@code 2n + 1} finishes them and forgets those of an older
 * batch. So what the record must hold after a step is known, and a half of one would be seen.
 */
final class CrashingWriter {
    private static final int ROWS = 3;
    private static final int BATCHES_KEPT = 4;
    private static final int CONTENT = 20_000;

    private CrashingWriter() {}

    /** Arguments: {@code write DATABASE LIB} or {@code create DIRECTORY LIB}. */
    public static void main(String[] args) {
        if (args[0].equals("create")) {
            create(Path.of(args[1]), Path.of(args[2]));
        } else {
            write(Path.of(args[1]), Path.of(args[2]));
        }
    }

    /** A new record in a new directory each time, one step each. */
    private static void create(Path top, Path lib) {
        for (int n = 0; ; n++) {
            Path directory = top.resolve(String.valueOf(n));
            if (!Files.exists(directory)) {
                try (RecordStore record = RecordStores.open(directory.resolve("record.db"), lib, true)) {
                    take(record, 0);
                    said(n);
                }
            }
        }
    }

    private static void write(Path database, Path lib) {
        try (RecordStore record = RecordStores.open(database, lib, true)) {
            for (int step = stepOf(record.applied()) + 1; ; step++) {
                take(record, step);
                said(step);
            }
        }
    }

    private static void said(int step) {
        System.out.println(step);
        System.out.flush();
    }

    private static void take(RecordStore record, int step) {
        int batch = step / 2;
        if (step % 2 == 0) {
            List<Beginning> rows = new ArrayList<>();
            for (int row = 0; row < ROWS; row++) {
                rows.add(new Beginning(row(batch, row), Optional.of(content(batch, row))));
            }
            record.begin(rows);
        } else {
            List<Applied> done = new ArrayList<>();
            List<String> gone = new ArrayList<>();
            for (int row = 0; row < ROWS; row++) {
                done.add(row(batch, row).applied("want", "seen", "{}"));
                gone.add(id(batch - BATCHES_KEPT, row));
            }
            record.finish(done, gone, Map.of(id(batch, 0), Set.of(id(batch, 1))), Set.of(id(batch - 1, 0)));
        }
    }

    /** Id and state of every row that stands after the step. */
    static Map<String, State> after(int step) {
        Map<String, State> rows = new TreeMap<>();
        int batch = step / 2;
        boolean finished = step % 2 == 1;
        for (int b = Math.max(0, finished ? batch - BATCHES_KEPT + 1 : batch - BATCHES_KEPT); b <= batch; b++) {
            for (int row = 0; row < ROWS; row++) {
                rows.put(id(b, row), b < batch || finished ? State.APPLIED : State.PENDING);
            }
        }
        return rows;
    }

    /** The step after which these rows stand; -1 for none. */
    static int stepOf(Map<String, Applied> rows) {
        int batch = -1;
        boolean pending = false;
        for (Applied row : rows.values()) {
            int of = batchOf(row.id());
            pending = of > batch ? row.pending() : pending || (of == batch && row.pending());
            batch = Math.max(batch, of);
        }
        return batch < 0 ? -1 : 2 * batch + (pending ? 0 : 1);
    }

    static byte[] contentOf(String id) {
        int row = Integer.parseInt(id.substring(id.indexOf('-') + 1));
        return content(batchOf(id), row);
    }

    private static int batchOf(String id) {
        return Integer.parseInt(id.substring(id.indexOf('/') + 1, id.indexOf('-')));
    }

    private static String id(int batch, int row) {
        return "m/" + batch + "-" + row;
    }

    private static Applied row(int batch, int row) {
        return Applied.first(id(batch, row), "file", "/etc/" + batch + "/" + row, "{}");
    }

    private static byte[] content(int batch, int row) {
        byte[] content = new byte[CONTENT];
        Arrays.fill(content, (byte) (batch * ROWS + row));
        return content;
    }
}
