package io.meshhost.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The history's two tables. */
final class HistoryTable {
    private static final int KEPT_ENTRIES = 1_000;
    private static final Duration KEPT_FOR = Duration.ofDays(90);

    private HistoryTable() {}

    static long add(Connection connection, HistoryEntry entry) throws SQLException {
        long number;
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into history (at_ns, why, serial, ok, millis) values (?, ?, ?, ?, ?) returning number")) {
            insert.setLong(1, nanos(entry.at()));
            insert.setString(2, entry.why());
            if (entry.serial().isPresent()) {
                insert.setLong(3, entry.serial().getAsLong());
            } else {
                insert.setNull(3, Types.INTEGER);
            }
            insert.setInt(4, entry.ok() ? 1 : 0);
            insert.setLong(5, entry.millis());
            try (ResultSet r = insert.executeQuery()) {
                r.next();
                number = r.getLong(1);
            }
        }
        addLines(connection, number, entry.lines());
        prune(connection, number, entry.at());
        return number;
    }

    private static void addLines(Connection connection, long number, List<HistoryEntry.Line> lines)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into history_line (number, line, id, type, action, detail, error, millis)"
                        + " values (?, ?, ?, ?, ?, ?, ?, ?)")) {
            int at = 0;
            for (HistoryEntry.Line line : lines) {
                insert.setLong(1, number);
                insert.setInt(2, at++);
                insert.setString(3, line.id());
                insert.setString(4, line.type());
                insert.setString(5, line.action());
                insert.setString(6, line.detail());
                insert.setString(7, line.error());
                insert.setLong(8, line.millis());
                insert.executeUpdate();
            }
        }
    }

    /** The entry's own time is the clock here, so that a test, and a machine whose clock is wrong, agree with it. */
    private static void prune(Connection connection, long newest, Instant now) throws SQLException {
        try (PreparedStatement delete =
                connection.prepareStatement("delete from history where number <= ? or at_ns < ?")) {
            delete.setLong(1, newest - KEPT_ENTRIES);
            delete.setLong(2, nanos(now.minus(KEPT_FOR)));
            delete.executeUpdate();
        }
    }

    static List<HistoryEntry> newest(Connection connection, Optional<String> id, int limit) throws SQLException {
        String which = id.isPresent()
                ? "select distinct number from history_line where id = ? order by number desc limit ?"
                : "select number from history where ? is null order by number desc limit ?";
        List<HistoryEntry> entries = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(
                "select number, at_ns, why, serial, ok, millis from history where number in (" + which
                        + ") order by number desc")) {
            select.setString(1, id.orElse(null));
            select.setInt(2, limit);
            try (ResultSet r = select.executeQuery()) {
                while (r.next()) {
                    entries.add(entry(r, lines(connection, r.getLong(1), id)));
                }
            }
        }
        return List.copyOf(entries);
    }

    private static HistoryEntry entry(ResultSet r, List<HistoryEntry.Line> lines) throws SQLException {
        long serial = r.getLong(4);
        boolean noSerial = r.wasNull();
        return new HistoryEntry(
                r.getLong(1),
                instant(r.getLong(2)),
                r.getString(3),
                noSerial ? OptionalLong.empty() : OptionalLong.of(serial),
                r.getInt(5) == 1,
                r.getLong(6),
                lines);
    }

    private static List<HistoryEntry.Line> lines(Connection connection, long number, Optional<String> id)
            throws SQLException {
        List<HistoryEntry.Line> lines = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement("select id, type, action, detail, error, millis from history_line"
                        + " where number = ? and id = coalesce(?, id) order by line")) {
            select.setLong(1, number);
            select.setString(2, id.orElse(null));
            try (ResultSet r = select.executeQuery()) {
                while (r.next()) {
                    lines.add(new HistoryEntry.Line(
                            r.getString(1),
                            r.getString(2),
                            r.getString(3),
                            r.getString(4),
                            r.getString(5),
                            r.getLong(6)));
                }
            }
        }
        return List.copyOf(lines);
    }

    private static long nanos(Instant at) {
        return Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000_000L), at.getNano());
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, 1_000_000_000L), Math.floorMod(nanos, 1_000_000_000L));
    }
}
