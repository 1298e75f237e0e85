package io.meshhost.launch;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What the files say at one turn.
 *
 * @param halted the reason, when a person is needed
 * @param attempted whether a rollback was tried since a host was last well
 * @param versions those delivered, {@link Version#NEWEST_FIRST}
 * @param arrivals the number of every version that ever arrived, gone ones too
 * @param rejected the names in {@code rejected}, whether their bytes are still here or not
 * @param knownGood newest first
 * @param placed the host placed by hand, when it is executable
 * @param script whether {@code $LIBEXEC/rollback} is executable
 * @param failing the host that ran last
 * @param digests by what bytes a version is known; asked only when one is given up, since it may read a whole tree
 * @param notes what was wrong with the files, a sentence each
 */
record Scene(
        Optional<String> halted,
        int count,
        boolean attempted,
        Optional<Pin> pin,
        List<Version> versions,
        Map<String, Long> arrivals,
        List<String> rejected,
        List<String> knownGood,
        boolean placed,
        boolean script,
        Optional<Host> failing,
        UnaryOperator<String> digests,
        List<String> notes) {

    Optional<Version> version(String name) {
        return versions.stream().filter(version -> version.name().equals(name)).findFirst();
    }

    Scene withCount(int fresh) {
        return new Scene(
                halted, fresh, attempted, pin, versions, arrivals, rejected, knownGood, placed, script, failing,
                digests, notes);
    }

    Scene withAttempted(boolean other) {
        return new Scene(
                halted, count, other, pin, versions, arrivals, rejected, knownGood, placed, script, failing, digests,
                notes);
    }

    /** With the marks of that rollback: what is rejected, and the pin. */
    Scene after(Choice.GoBack back) {
        List<Version> marked = versions.stream()
                .map(version -> new Version(
                        version.name(),
                        version.arrival(),
                        version.modifiedNanos(),
                        version.rejected()
                                || back.rejects().filter(version.name()::equals).isPresent()))
                .toList();
        return new Scene(
                halted,
                count,
                attempted,
                back.pin(),
                marked,
                arrivals,
                Stream.concat(rejected.stream(), back.rejects().stream())
                        .distinct()
                        .toList(),
                knownGood,
                placed,
                script,
                failing,
                digests,
                notes);
    }
}
