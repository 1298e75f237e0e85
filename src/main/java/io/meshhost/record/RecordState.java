package io.meshhost.record;

import java.nio.file.Path;

/** What stands where the record should be (SPEC 2, "The record"). */
public sealed interface RecordState {
    /** No record and no sign that there ever was one: a machine that was never applied to. */
    record Absent() implements RecordState {}

    /** The record is whole. */
    record Fine() implements RecordState {}

    /**
     * There is no record, yet the host was here; nothing may be changed until it is rebuilt.
     *
     * @param evidence what says so: a kept declaration, an unpacked daemon, a unit of ours
     */
    record Lost(Path evidence) implements RecordState {}

    /**
     * There is a file, and it cannot be trusted.
     *
     * @param reason short words, as "it is empty"
     */
    record Damaged(String reason) implements RecordState {}
}
