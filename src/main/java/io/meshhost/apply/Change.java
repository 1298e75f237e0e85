package io.meshhost.apply;

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
