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
 * @param failing what ran last, so what has failed; empty: nobody knows
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
        Optional<Ran> failing,
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

    Scene withFailing(Optional<Ran> other) {
        return new Scene(
                halted, count, attempted, pin, versions, arrivals, rejected, knownGood, placed, script, other, digests,
                notes);
    }

    Scene withDigests(UnaryOperator<String> other) {
        return new Scene(
                halted, count, attempted, pin, versions, arrivals, rejected, knownGood, placed, script, failing, other,
                notes);
    }

    Scene withAttempted(boolean other) {
        return new Scene(
                halted, count, other, pin, versions, arrivals, rejected, knownGood, placed, script, failing, digests,
                notes);
    }

    Scene withFailing(Host other) {
        Optional<Ran> ran = Optional.of(Ran.now(other, arrivals));
        return new Scene(
                halted, count, attempted, pin, versions, arrivals, rejected, knownGood, placed, script, ran, digests,
                notes);
    }

    /** With the marks of that rollback: what is rejected, and the pin. */
    Scene after(Choice.GoBack back) {
        return rejecting(back.rejects(), back.pin());
    }

    /** As it is when that is rejected. */
    Scene rejecting(Optional<String> name) {
        return rejecting(name, pin);
    }

    private Scene rejecting(Optional<String> name, Optional<Pin> other) {
        List<Version> marked = versions.stream()
                .map(version -> new Version(
                        version.name(),
                        version.arrival(),
                        version.modifiedNanos(),
                        version.rejected()
                                || name.filter(version.name()::equals).isPresent()))
                .toList();
        List<String> names =
                Stream.concat(rejected.stream(), name.stream()).distinct().toList();
        return new Scene(
                halted, count, attempted, other, marked, arrivals, names, knownGood, placed, script, failing, digests,
                notes);
    }
}
