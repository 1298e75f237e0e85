package io.meshhost.apply;

import io.meshhost.declaration.Resource;
import io.meshhost.record.Applied;
import java.util.List;
import java.util.Optional;

/**
 * What is to become of one resource: the pure result of planning.
 *
 * @param action what the outcome will be if all goes well; FAILED when planning already knows that it cannot
 *     be done, SKIPPED when it is not for this machine or not now
 * @param detail a sentence for people
 * @param diff for people
 * @param steps what is to be done, in order; empty when nothing is
 * @param recorded the row as it was when planning; the row for a first apply carries {@code before}
 * @param want identity that the record will hold when done
 * @param undeclare true: the resource is no longer declared
 */
public record Change(
        String id,
        String type,
        Action action,
        String detail,
        Diff diff,
        List<Step> steps,
        Optional<Applied> recorded,
        String want,
        boolean undeclare) {

    /** Of a declared resource; {@code row} is what the record holds of it, or will from its first apply. */
    static Change of(
            Resource resource, Action action, String detail, Diff diff, List<Step> steps, Applied row, String want) {
        return new Change(resource.id(), resource.type(), action, detail, diff, steps, Optional.of(row), want, false);
    }

    /** Of what is no longer declared. */
    static Change leaving(Applied row, Action action, String detail, List<Step> steps) {
        return new Change(row.id(), row.type(), action, detail, Diff.NONE, steps, Optional.of(row), "", true);
    }

    public static Change unchanged(String id, String type, String detail, Applied recorded) {
        return new Change(
                id,
                type,
                Action.UNCHANGED,
                detail,
                Diff.NONE,
                List.of(),
                Optional.of(recorded),
                recorded.want(),
                false);
    }

    public static Change failed(String id, String type, String detail, Optional<Applied> recorded) {
        return new Change(id, type, Action.FAILED, detail, Diff.NONE, List.of(), recorded, "", false);
    }

    public static Change skipped(String id, String type, String detail, Optional<Applied> recorded) {
        return new Change(id, type, Action.SKIPPED, detail, Diff.NONE, List.of(), recorded, "", false);
    }
}
