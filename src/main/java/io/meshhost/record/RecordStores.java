package io.meshhost.record;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;

/** Opens the record of this machine, judges it, and sets a broken one aside. */
public final class RecordStores {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private RecordStores() {}

    /**
     * The record at the path. Nothing is touched before the first read, and nothing is written before
     * the first write: where there is no database yet, it reads as empty.
     *
     * @param ownLibraryDir a directory of ours that SQLite's native library is loaded from (see {@link NativeLibrary})
     * @param mayCreate whether a first write makes the database; without it, it is a {@link RecordFailure}
     * @throws RecordFailure when a file is there that cannot be read as a record
     */
    public static RecordStore open(Path database, Path ownLibraryDir, boolean mayCreate) {
        Database opened = new Database(database, ownLibraryDir, Schema.CURRENT, mayCreate);
        try {
            opened.check();
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
        return new SqliteRecord(opened);
    }

    /**
     * Whether the record is there and whole, every page of it read; writes nothing.
     *
     * @param evidence paths that only a host that was here before leaves: files, or directories that count
     *     when they are not empty
     */
    public static RecordState state(Path database, Path ownLibraryDir, Collection<Path> evidence) {
        if (!Files.exists(database, LinkOption.NOFOLLOW_LINKS)) {
            return evidence.stream()
                    .filter(new Disk()::holdsSomething)
                    .findFirst()
                    .<RecordState>map(RecordState.Lost::new)
                    .orElseGet(RecordState.Absent::new);
        }
        try (Database opened = new Database(database, ownLibraryDir, Schema.CURRENT, false)) {
            return opened.damage().<RecordState>map(RecordState.Damaged::new).orElseGet(RecordState.Fine::new);
        } catch (SQLException e) {
            return Sentences.damage(e)
                    .<RecordState>map(RecordState.Damaged::new)
                    .orElseThrow(() -> Sentences.cannot("read", database, e));
        }
    }

    /** The failure to report for a state in which nothing may be changed. */
    public static RecordFailure refusal(Path database, RecordState.Lost lost) {
        return new RecordFailure(
                "cannot find the record " + database + ": it is missing, yet " + lost.evidence()
                        + " says that this machine was applied to before; restore it from a backup, or run apply --rebuild-record",
                null);
    }

    /** The failure to report for a state in which nothing may be changed. */
    public static RecordFailure refusal(Path database, RecordState.Damaged damaged) {
        return Sentences.damaged(database, damaged.reason(), null);
    }

    /**
     * Renames the database, and the log that belongs to it, to {@code NAME.corrupt-TIME}, so that a new one
     * can be made and the old one still be looked into.
     *
     * @return the new name; nothing is there where nothing was
     */
    public static Path setAside(Path database, Instant now) {
        Path aside = database.resolveSibling(database.getFileName() + ".corrupt-" + STAMP.format(now));
        Disk disk = new Disk();
        // The log first: SQLite would play an old log into a new database of the same name.
        disk.moveIfThere(Database.suffixed(database, "-wal"), Database.suffixed(aside, "-wal"));
        disk.removeIfThere(Database.suffixed(database, "-shm"));
        disk.moveIfThere(database, aside);
        return aside;
    }
}
