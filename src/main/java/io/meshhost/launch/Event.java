package io.meshhost.launch;

/** What can happen to the supervisor. */
sealed interface Event {
    /** The files were asked. */
    record Chosen(Choice choice) implements Event {}

    /** What was to be started could not be. */
    record NotStarted(String reason) implements Event {}

    /**
     * What was started has ended.
     *
     * @param status as a shell counts it: 128 + n for a signal
     */
    record Exited(int status) implements Event {}

    /**
     * The first reconcile of the host is completed.
     *
     * @param spoken it said so itself, so it can give signs of life; else its files show it, as of an older host
     */
    record Ready(boolean spoken) implements Event {}

    /** A sign of life. */
    record Alive() implements Event {}

    record Told(Notice notice) implements Event {}

    /** The time that {@link LifeCycle#due} gave has come. */
    record Due() implements Event {}
}
