package io.meshhost.record;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file, and the connections to it: one for reading that leaves no trace, one for writing that is
 * opened at the first write.
 *
 * <p><b>Reading.</b> A reader of a WAL database makes {@code -wal} and {@code -shm} beside it. While there is no
 * {@code -wal} the file alone is the whole truth, and it is opened as {@code immutable}: no lock, no other file.
 * A writer in another process may then begin at any moment; so the file is looked at before and after
 * each read, and a read that a writer crossed is done again.
 *
 * <p>The file's bytes are never read past SQLite: closing a file drops every lock that this process holds
 * on it (fcntl(2)), those of an open connection too.
 */
final class Database implements AutoCloseable {
    private static final int ATTEMPTS = 20;

    private final Path file;
    private final Connections connections;
    private final Schema schema;
    private final boolean mayCreate;

    private @Nullable Connection writer;
    private @Nullable Connection reader;
    private Mark readerMark = Mark.NONE;

    Database(Path file, Path libraryDir, Schema schema, boolean mayCreate) {
        this.file = file;
        this.connections = new Connections(libraryDir);
        this.schema = schema;
        this.mayCreate = mayCreate;
    }

    /** Something to do with a connection. */
    @FunctionalInterface
    interface Job<T> {
        T run(Connection connection) throws SQLException;
    }

    static Path suffixed(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    /** Refuses a file that is not a record of a format known here, and brings an older one up to date. */
    synchronized void check() {
        if (!mark().there()) {
            return;
        }
        refuseEmpty();
        int format = read(-1, connection -> {
            if (!Schema.ours(connection)) {
                throw Sentences.damaged(file, "it is another program's database", null);
            }
            return Schema.format(connection);
        });
        if (format > schema.latest()) {
            throw new RecordFailure(
                    "cannot read the record " + file + ": a newer version wrote it (format " + format
                            + ", this one knows " + schema.latest() + "); install that version again",
                    null);
        }
        if (format < schema.latest()) {
            write(connection -> format);
        }
    }

    /** Reads every page; words for what is wrong. */
    synchronized Optional<String> damage() throws SQLException {
        if (mark().size() == 0) {
            return Optional.of("it is empty");
        }
        return readOnce(connection -> {
            if (!Schema.ours(connection)) {
                return Optional.of("it is another program's database");
            }
            try (Statement statement = connection.createStatement();
                    ResultSet result = statement.executeQuery("pragma quick_check(1)")) {
                String says = result.next() ? result.getString(1) : "nothing";
                return says.equals("ok") ? Optional.empty() : Optional.of("it is damaged (" + says + ")");
            }
        });
    }

    /** What the job reads; without a database, what is given. */
    synchronized <T> T read(T absent, Job<T> job) {
        try {
            if (writer != null) {
                return job.run(writer);
            }
            return mark().there() ? readOnce(job) : absent;
        } catch (SQLException e) {
            throw Sentences.cannot("read", file, e);
        }
    }

    private <T> T readOnce(Job<T> job) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            Mark before = mark();
            try {
                T result = job.run(reader(before));
                if (before.log() || before.equals(mark()) || attempt == ATTEMPTS) {
                    return result;
                }
            } catch (SQLException e) {
                // Half of an old page and half of a new one look like damage; only a quiet file can be damaged.
                if (before.equals(mark()) || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private Connection reader(Mark now) throws SQLException {
        Connection open = reader;
        if (open != null && readerMark.equals(now)) {
            return open;
        }
        closeReader();
        Connection fresh = connections.reading(file, !now.log());
        reader = fresh;
        readerMark = now;
        return fresh;
    }

    /** One transaction, on the disk when this returns; after a failure nothing of it is. */
    synchronized <T> T write(Job<T> job) {
        try {
            return transaction(writer(), job);
        } catch (SQLException e) {
            throw Sentences.cannot("write", file, e);
        }
    }

    private static <T> T transaction(Connection connection, Job<T> job) throws SQLException {
        execute(connection, "begin immediate");
        try {
            T result = job.run(connection);
            execute(connection, "commit");
            return result;
        } catch (SQLException | RuntimeException e) {
            rollback(connection, e);
            throw e;
        }
    }

    private static void rollback(Connection connection, Exception cause) {
        try {
            execute(connection, "rollback");
        } catch (SQLException e) {
            // A full disk has rolled back by itself; the first failure is the one to report.
            cause.addSuppressed(e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private Connection writer() throws SQLException {
        Connection open = writer;
        if (open != null) {
            return open;
        }
        refuseEmpty();
        if (!mark().there()) {
            create();
        }
        closeReader();
        Connection fresh = connections.writing(file);
        try {
            if (Schema.format(fresh) < schema.latest()) {
                upgrade(fresh);
            }
        } catch (SQLException e) {
            closeQuietly(fresh);
            throw e;
        }
        writer = fresh;
        return fresh;
    }

    /** Made whole under another name: a power cut leaves no record or a whole one, never an empty file. */
    private void create() throws SQLException {
        if (!mayCreate) {
            throw new RecordFailure("cannot write the record " + file + ": there is none; run apply first", null);
        }
        Disk disk = new Disk();
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            disk.makePrivateDirectory(directory);
        }
        Path fresh = suffixed(file, ".new");
        disk.removeIfThere(suffixed(fresh, "-wal"));
        disk.removeIfThere(suffixed(fresh, "-shm"));
        disk.makePrivateFile(fresh);
        try (Connection connection = connections.writing(fresh)) {
            upgrade(connection);
        }
        disk.moveIfThere(fresh, file);
    }

    private void upgrade(Connection connection) throws SQLException {
        transaction(connection, open -> {
            schema.upgrade(open);
            return true;
        });
    }

    private void refuseEmpty() {
        Mark now = mark();
        if (now.there() && now.size() == 0) {
            throw Sentences.damaged(file, "it is empty", null);
        }
    }

    private Mark mark() {
        return Mark.of(file);
    }

    private void closeReader() {
        Connection open = reader;
        reader = null;
        readerMark = Mark.NONE;
        if (open != null) {
            closeQuietly(open);
        }
    }

    /** The last writer to close folds the log into the file and removes it. */
    @Override
    public synchronized void close() {
        closeReader();
        Connection open = writer;
        writer = null;
        if (open != null) {
            closeQuietly(open);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // All that was committed is on the disk already, in the log; the next writer folds it in.
            System.getLogger(Database.class.getName()).log(System.Logger.Level.DEBUG, "closing the record", e);
        }
    }
}
