package io.meshhost.record;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The tables, as the steps that led to them: step n brings a database of format n-1 to format n.
 *
 * <p>A step that was released is never changed. The format is SQLite's {@code user_version}; what marks the
 * file as ours is {@code application_id}.
 */
record Schema(List<List<String>> steps) {
    /** "MESH" in ASCII. */
    private static final int APPLICATION = 0x4d455348;

    static final Schema CURRENT = new Schema(List.of(List.of(
            """
            create table applied (
              id text primary key, type text not null, target text not null, origin text not null,
              state text not null, want text not null, signature text not null, was text not null,
              notes text not null, position integer not null) without rowid""",
            "create index applied_target on applied (target)",
            "create index applied_position on applied (position)",
            "create table content_before (id text primary key, content blob not null)",
            """
            create table owed (
              id text not null, cause text not null, primary key (id, cause)) without rowid""",
            """
            create table history (
              number integer primary key autoincrement, at_ns integer not null, why text not null,
              serial integer, ok integer not null, millis integer not null)""",
            """
            create table history_line (
              number integer not null references history (number) on delete cascade, line integer not null,
              id text not null, type text not null, action text not null, detail text not null,
              error text not null, millis integer not null, primary key (number, line)) without rowid""",
            "create index history_line_id on history_line (id)",
            "create table meta (name text primary key, value blob not null) without rowid")));

    int latest() {
        return steps.size();
    }

    static int format(Connection connection) throws SQLException {
        return number(connection, "pragma user_version");
    }

    /** Whether the database, of whatever format, is one of ours. */
    static boolean ours(Connection connection) throws SQLException {
        return number(connection, "pragma application_id") == APPLICATION;
    }

    /** Runs the steps that are missing, in the transaction that is open. */
    void upgrade(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (List<String> step : steps.subList(format(connection), latest())) {
                for (String sql : step) {
                    statement.executeUpdate(sql);
                }
            }
            statement.executeUpdate("pragma application_id = " + APPLICATION);
            statement.executeUpdate("pragma user_version = " + latest());
        }
    }

    private static int number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.next() ? result.getInt(1) : 0;
        }
    }
}
