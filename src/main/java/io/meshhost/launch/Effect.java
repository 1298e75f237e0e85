package io.meshhost.launch;

/** What the thin shell carries out, in order. */
sealed interface Effect {
    /** Ask the files; the answer is {@link Event.Chosen}. */
    record Choose() implements Effect {}

    record Start(Host host) implements Effect {}

    /** Run {@code $LIBEXEC/rollback}. */
    record RunScript() implements Effect {}

    /** To the child, whatever it is. */
    record Send(Notice notice) implements Effect {}

    record Kill() implements Effect {}

    /** Write the counter. */
    record Count(int count) implements Effect {}

    /** Remember that a rollback was tried: the host that forgot it did not live long enough to have the right to. */
    record Attempted() implements Effect {}

    /** A host is well: what was counted is forgotten, though a disk should not let the host say so in the files. */
    record CameUp() implements Effect {}

    /** Take a rollback's own pin away, which has ended. */
    record Unpin() implements Effect {}

    /** Write what a rollback leaves. */
    record GoBack(Choice.GoBack choice) implements Effect {}

    /** Remember a version as bad that has had all of its attempts, though another is run already. */
    record Reject(String version) implements Effect {}

    /** Write the reason. */
    record Halt(String reason) implements Effect {}

    record Say(String sentence) implements Effect {}

    /** Say it, and remember it for the status. */
    record Failed(String sentence) implements Effect {}
}
