package io.meshhost.record;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/** Opens SQLite's connections, its library loaded from the directory that is ours. */
record Connections(Path libraryDir) {
    private static final int BUSY_MILLIS = 5_000;

    /**
     * A connection that cannot write.
     *
     * @param quiet nobody writes and no log is there: neither locks nor other files are made
     */
    Connection reading(Path file, boolean quiet) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setBusyTimeout(BUSY_MILLIS);
        return connect(config, file, quiet ? "mode=ro&immutable=1" : "mode=ro");
    }

    /** A connection whose commits are on the disk when they return; the file must exist. */
    Connection writing(Path file) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(JournalMode.WAL);
        config.setSynchronous(SynchronousMode.FULL);
        config.setBusyTimeout(BUSY_MILLIS);
        config.enforceForeignKeys(true);
        // Nobody asks for them, and the driver would for each row written, by a statement of its own.
        config.setGetGeneratedKeys(false);
        return connect(config, file, "mode=rw");
    }

    private Connection connect(SQLiteConfig config, Path file, String parameters) throws SQLException {
        NativeLibrary.prepare(libraryDir);
        try {
            return config.createConnection("jdbc:sqlite:file:" + escaped(file) + "?" + parameters);
        } catch (UnsatisfiedLinkError e) {
            throw NativeLibrary.notLoaded(libraryDir, e);
        } catch (SQLException e) {
            // The driver's own failures have no code of SQLite's.
            if (e.getErrorCode() == 0) {
                throw NativeLibrary.notLoaded(libraryDir, e);
            }
            throw e;
        }
    }

    /** As sqlite.org/uri.html wants it: everything but plain characters as %HH. */
    private static String escaped(Path path) {
        StringBuilder uri = new StringBuilder();
        for (byte b : path.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8)) {
            boolean plain = b > ' ' && (b == '/' || b == '.' || b == '-' || b == '_' || Character.isLetterOrDigit(b));
            uri.append(plain ? String.valueOf((char) b) : "%" + HexFormat.of().toHexDigits(b));
        }
        return uri.toString();
    }
}
