package io.meshhost.record;

import io.meshhost.record.Applied.Origin;
import io.meshhost.record.Applied.State;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The rows as last read: a reconcile asks for ten thousand of them every time, and hardly ever has anybody written.
 *
 * <p>They are read anew over another connection, after a write over this one, and when SQLite says that somebody else
 * wrote, another process too (pragma data_version). Guarded by the database's lock, as what it speaks of.
 */
final class KnownRows {
    /** Two connections' versions cannot be compared. */
    private record Read(Connection by, long version, Map<String, Applied> rows) {}

    private Optional<Read> last = Optional.empty();

    Map<String, Applied> read(Connection connection) throws SQLException {
        // Asked before the rows: who writes in between is noticed the next time.
        long version = version(connection);
        if (last.isPresent() && last.get().by().equals(connection) && last.get().version() == version) {
            return last.get().rows();
        }
        Map<String, Applied> rows = rows(connection);
        last = Optional.of(new Read(connection, version, rows));
        return rows;
    }

    /** Before a write: whether or not it succeeds, what is there then is read. */
    void forget() {
        last = Optional.empty();
    }

    private static long version(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet r = statement.executeQuery("pragma data_version")) {
            return r.getLong(1);
        }
    }

    private static Map<String, Applied> rows(Connection connection) throws SQLException {
        Map<String, Applied> rows = new LinkedHashMap<>();
        Map<String, String> shared = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet r = statement.executeQuery("select id, type, target, origin, state, want, signature, was,"
                        + " notes, position from applied order by position, id")) {
            while (r.next()) {
                Applied row = row(r, shared);
                rows.put(row.id(), row);
            }
        }
        return Collections.unmodifiableMap(rows);
    }

    /**
     * @param shared words that most rows have in common, kept once
     */
    private static Applied row(ResultSet r, Map<String, String> shared) throws SQLException {
        return new Applied(
                r.getString(1),
                shared(r.getString(2), shared),
                r.getString(3),
                Origin.valueOf(r.getString(4)),
                State.valueOf(r.getString(5)),
                r.getString(6),
                r.getString(7),
                shared(r.getString(8), shared),
                shared(r.getString(9), shared),
                r.getLong(10));
    }

    private static String shared(String text, Map<String, String> shared) {
        String first = shared.putIfAbsent(text, text);
        return first == null ? text : first;
    }
}
