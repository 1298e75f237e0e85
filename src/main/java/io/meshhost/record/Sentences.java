package io.meshhost.record;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteException;

/** What SQLite says, in words that tell an operator what to do (sqlite.org/rescode.html). */
final class Sentences {
    private static final int EXTENDED = 0xff;

    private Sentences() {}

    static RecordFailure cannot(String verb, Path database, SQLException cause) {
        return damage(cause)
                .map(reason -> damaged(database, reason, cause))
                .orElseGet(() ->
                        new RecordFailure("cannot " + verb + " the record " + database + ": " + why(cause), cause));
    }

    static RecordFailure damaged(Path database, String reason, @Nullable Throwable cause) {
        return new RecordFailure(
                "cannot read the record " + database + ": " + reason
                        + "; restore it from a backup, or run apply --rebuild-record, which sets it aside",
                cause);
    }

    /** In words, where the error means that the file itself is broken. */
    static Optional<String> damage(SQLException e) {
        return switch (code(e)) {
            case 26 -> Optional.of("it is not a database");
            case 11 -> Optional.of("it is damaged or cut short");
            case 1 -> Optional.of("its tables are not as they should be (" + e.getMessage() + ")");
            default -> Optional.empty();
        };
    }

    private static String why(SQLException e) {
        return switch (code(e)) {
            case 13 -> "no space is left on its file system; free some and try again";
            case 5, 6 -> "another program holds it locked; end that program, or try again when it is done";
            case 8 -> "it is read-only here; make the file and its directory writable for this user";
            case 14, 23, 3 ->
                "it or its directory may not be opened for writing; check the owner, the mode, and that"
                        + " the file system is not mounted read-only";
            case 10 -> "the disk reported an error (" + e.getMessage() + "); look into the kernel log";
            default -> "SQLite says " + e.getMessage();
        };
    }

    private static int code(SQLException e) {
        return e instanceof SQLiteException s ? s.getResultCode().code & EXTENDED : e.getErrorCode() & EXTENDED;
    }
}
