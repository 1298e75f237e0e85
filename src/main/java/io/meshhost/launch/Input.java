package io.meshhost.launch;

/** What the supervisor's queue holds: an event of one run, or that a file of the state directory has changed. */
sealed interface Input {
    record Of(long run, Event event) implements Input {}

    record Speaks(long run) implements Input {}

    record Glance() implements Input {}
}
