package io.meshhost.launch;

/**
 * All that a decision needs beside the event.
 *
 * @param count failures in a row, as far as this supervisor saw them
 * @param spins clean exits in a row that came within a second of their start
 */
record State(Life life, int count, int spins) {
    State with(Life next) {
        return new State(next, count, spins);
    }

    static State first() {
        return new State(new Life.Deciding(), 0, 0);
    }
}
