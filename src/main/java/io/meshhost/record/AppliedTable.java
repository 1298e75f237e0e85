package io.meshhost.record;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** Writes rows of what was applied, within one transaction; its statements are prepared once for many rows. */
final class AppliedTable implements AutoCloseable {
    private static final String SAME = "applied.type = excluded.type and applied.target = excluded.target";

    private final PreparedStatement known;
    private final PreparedStatement put;
    private final PreparedStatement putOrigin;
    private final PreparedStatement keep;
    private final PreparedStatement inherit;
    private final PreparedStatement dropContent;
    private final PreparedStatement dropRow;
    private final PreparedStatement dropOwed;
    private final PreparedStatement owe;

    AppliedTable(Connection c) throws SQLException {
        known = c.prepareStatement("select 1 from applied where id = ? and type = ? and target = ?");
        put = c.prepareStatement("""
                insert into applied (id, type, target, origin, state, want, signature, was, notes, position)
                values (?, ?, ?, ?, ?, ?, ?, ?, ?,
                        coalesce(nullif(?, 0), (select coalesce(max(position), 0) + 1 from applied)))
                on conflict (id) do update set
                  was = case when SAME then was else excluded.was end,
                  origin = case when SAME then origin else excluded.origin end,
                  type = excluded.type, target = excluded.target, state = excluded.state, want = excluded.want,
                  signature = excluded.signature, notes = excluded.notes""".replace("SAME", SAME));
        putOrigin = c.prepareStatement("update applied set origin = ? where id = ?");
        keep = c.prepareStatement("insert into content_before (id, content) values (?, ?)");
        inherit = c.prepareStatement("insert into content_before (id, content) select ?, content from content_before"
                + " join applied using (id) where type = ? and target = ? and id <> ? limit 1");
        dropContent = c.prepareStatement("delete from content_before where id = ?");
        dropRow = c.prepareStatement("delete from applied where id = ?");
        dropOwed = c.prepareStatement("delete from owed where id = ?");
        owe = c.prepareStatement("insert or ignore into owed (id, cause) values (?, ?)");
    }

    void begin(Applied row, Optional<byte[]> contentBefore) throws SQLException {
        if (isNew(row)) {
            run(dropContent, row.id());
            if (contentBefore.isPresent()) {
                keep.setString(1, row.id());
                keep.setBytes(2, contentBefore.get());
                keep.executeUpdate();
            } else {
                inherit(row);
            }
        }
        put(row);
    }

    void finish(Applied row) throws SQLException {
        if (isNew(row)) {
            run(dropContent, row.id());
            inherit(row);
        }
        put(row);
        putOrigin.setString(1, row.origin().name());
        putOrigin.setString(2, row.id());
        putOrigin.executeUpdate();
    }

    /** A restart owed to what is gone can never be paid. */
    void forget(String id) throws SQLException {
        run(dropRow, id);
        run(dropContent, id);
        run(dropOwed, id);
    }

    void paid(String id) throws SQLException {
        run(dropOwed, id);
    }

    void owe(String id, Set<String> causes) throws SQLException {
        for (String cause : causes.isEmpty() ? Set.of("") : causes) {
            owe.setString(1, id);
            owe.setString(2, cause);
            owe.executeUpdate();
        }
    }

    private boolean isNew(Applied row) throws SQLException {
        known.setString(1, row.id());
        known.setString(2, row.type());
        known.setString(3, row.target());
        try (ResultSet r = known.executeQuery()) {
            return !r.next();
        }
    }

    private void inherit(Applied row) throws SQLException {
        inherit.setString(1, row.id());
        inherit.setString(2, row.type());
        inherit.setString(3, row.target());
        inherit.setString(4, row.id());
        inherit.executeUpdate();
    }

    private void put(Applied row) throws SQLException {
        put.setString(1, row.id());
        put.setString(2, row.type());
        put.setString(3, row.target());
        put.setString(4, row.origin().name());
        put.setString(5, row.state().name());
        put.setString(6, row.want());
        put.setString(7, row.signature());
        put.setString(8, row.before());
        put.setString(9, row.notes());
        put.setLong(10, row.position());
        put.executeUpdate();
    }

    private static void run(PreparedStatement statement, String id) throws SQLException {
        statement.setString(1, id);
        statement.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
        for (PreparedStatement statement :
                new PreparedStatement[] {known, put, putOrigin, keep, inherit, dropContent, dropRow, dropOwed, owe}) {
            statement.close();
        }
    }
}
