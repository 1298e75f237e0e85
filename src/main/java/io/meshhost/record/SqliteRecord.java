package io.meshhost.record;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The record as an SQLite database.
 *
 * <p>A row keeps what was there {@code before}, its origin and its position for as long as it speaks of
 * the same thing on the machine (type and target). A row that appears under a new id for a thing that another row
 * speaks of takes over the content kept for that one: a renamed resource inherits it.
 */
final class SqliteRecord implements RecordStore {
    private static final int KEY_BYTES = 32;

    private final Database database;
    private final KnownRows rows = new KnownRows();
    private byte @Nullable [] newKey;

    SqliteRecord(Database database) {
        this.database = database;
    }

    @Override
    public Map<String, Applied> applied() {
        return database.read(Map.of(), rows::read);
    }

    @Override
    public Optional<byte[]> contentBefore(String id) {
        return database.read(Optional.empty(), connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("select content from content_before where id = ?")) {
                statement.setString(1, id);
                try (ResultSet r = statement.executeQuery()) {
                    return r.next() ? Optional.of(r.getBytes(1)) : Optional.empty();
                }
            }
        });
    }

    @Override
    public void begin(Collection<Beginning> rows) {
        if (rows.isEmpty()) {
            return;
        }
        write(connection -> {
            try (AppliedTable table = new AppliedTable(connection)) {
                for (Beginning beginning : rows) {
                    table.begin(beginning.row().pendingAgain(), beginning.contentBefore());
                }
            }
        });
    }

    @Override
    public void finish(
            Collection<Applied> done, Collection<String> forgotten, Map<String, Set<String>> owed, Set<String> paid) {
        if (done.isEmpty() && forgotten.isEmpty() && owed.isEmpty() && paid.isEmpty()) {
            return;
        }
        write(connection -> {
            try (AppliedTable table = new AppliedTable(connection)) {
                // New names first: they take over the kept content of those forgotten.
                for (Applied row : done) {
                    table.finish(row);
                }
                for (String id : forgotten) {
                    table.forget(id);
                }
                for (String id : paid) {
                    table.paid(id);
                }
                for (Map.Entry<String, Set<String>> debt : owed.entrySet()) {
                    table.owe(debt.getKey(), debt.getValue());
                }
            }
        });
    }

    @Override
    public Map<String, Set<String>> owed() {
        return database.read(Map.of(), connection -> {
            Map<String, Set<String>> owed = new TreeMap<>();
            try (Statement statement = connection.createStatement();
                    ResultSet r = statement.executeQuery("select id, cause from owed order by id, cause")) {
                while (r.next()) {
                    Set<String> causes = owed.computeIfAbsent(r.getString(1), id -> new TreeSet<>());
                    if (!r.getString(2).isEmpty()) {
                        causes.add(r.getString(2));
                    }
                }
            }
            return Collections.unmodifiableMap(owed);
        });
    }

    @Override
    public OptionalLong serial() {
        Optional<byte[]> value = meta("serial");
        return value.isPresent() ? OptionalLong.of(ByteBuffer.wrap(value.get()).getLong()) : OptionalLong.empty();
    }

    @Override
    public void serial(long serial) {
        if (serial().equals(OptionalLong.of(serial))) {
            return;
        }
        byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(serial).array();
        write(connection -> putMeta(connection, "serial", value));
    }

    @Override
    public boolean rebuilding() {
        return meta("rebuilding").isPresent();
    }

    @Override
    public void rebuilding(boolean now) {
        write(connection -> {
            if (now) {
                putMeta(connection, "rebuilding", new byte[] {1});
            } else {
                try (Statement statement = connection.createStatement()) {
                    statement.executeUpdate("delete from meta where name = 'rebuilding'");
                }
            }
        });
    }

    /** A new key reaches the disk with the next write: a digest made with it is kept nowhere before that. */
    @Override
    public synchronized byte[] secretKey() {
        byte[] fresh = newKey;
        if (fresh != null) {
            return fresh.clone();
        }
        Optional<byte[]> kept = meta("secret-key");
        if (kept.isPresent()) {
            return kept.get();
        }
        byte[] made = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(made);
        newKey = made;
        return made.clone();
    }

    private Optional<byte[]> meta(String name) {
        return database.read(Optional.empty(), connection -> {
            try (PreparedStatement statement = connection.prepareStatement("select value from meta where name = ?")) {
                statement.setString(1, name);
                try (ResultSet r = statement.executeQuery()) {
                    return r.next() ? Optional.of(r.getBytes(1)) : Optional.empty();
                }
            }
        });
    }

    private static void putMeta(Connection connection, String name, byte[] value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "insert into meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value")) {
            statement.setString(1, name);
            statement.setBytes(2, value);
            statement.executeUpdate();
        }
    }

    @Override
    public long history(HistoryEntry entry) {
        long[] number = new long[1];
        write(connection -> number[0] = HistoryTable.add(connection, entry));
        return number[0];
    }

    @Override
    public List<HistoryEntry> history(Optional<String> id, int limit) {
        return database.read(List.of(), connection -> HistoryTable.newest(connection, id, limit));
    }

    /** A job that writes and gives nothing. */
    private interface Writing {
        void run(Connection connection) throws SQLException;
    }

    private synchronized void write(Writing writing) {
        byte[] key = newKey;
        database.write(connection -> {
            rows.forget();
            if (key != null) {
                putMeta(connection, "secret-key", key);
            }
            writing.run(connection);
            return true;
        });
        newKey = null;
    }

    @Override
    public void close() {
        database.close();
    }
}
