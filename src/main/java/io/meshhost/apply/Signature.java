package io.meshhost.apply;

import io.meshhost.machine.Stat;
import java.time.Instant;
import java.time.InstantSource;

/**
 * What betrays that a file was touched, without reading it: everything that lstat(2) says, and the moment at
 * which it said so.
 *
 * <p>The kernel's clock for times of files moves in steps (10 ms at most): two writes within one step carry the
 * same times. So a signature taken less than 50 ms after the last change proves nothing, as in git's "racy" index.
 */
final class Signature {
    private static final long STEP_NANOS = 50_000_000L;

    private Signature() {}

    static String of(Stat stat, InstantSource clock) {
        return fields(stat) + '@' + nanos(clock.instant());
    }

    /** Same fields, whenever they were taken. */
    static boolean same(String signature, Stat stat) {
        int at = signature.indexOf('@');
        String fields = fields(stat);
        return at == fields.length() && signature.startsWith(fields);
    }

    /** Whether equal fields prove equal content. */
    static boolean proves(String signature, Stat stat) {
        if (!same(signature, stat)) {
            return false;
        }
        long taken = Long.parseLong(signature.substring(signature.indexOf('@') + 1));
        return taken - stat.changedNanos() >= STEP_NANOS;
    }

    private static String fields(Stat s) {
        return s.size() + ":" + s.modifiedNanos() + ":" + s.changedNanos() + ":" + s.inode() + ":" + s.device() + ":"
                + Integer.toOctalString(s.mode()) + ":" + s.uid() + ":" + s.gid();
    }

    private static long nanos(Instant at) {
        return at.getEpochSecond() * 1_000_000_000L + at.getNano();
    }
}
