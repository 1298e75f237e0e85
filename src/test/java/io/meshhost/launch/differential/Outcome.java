package io.meshhost.launch.differential;

import java.util.List;
import java.util.StringJoiner;

/** What came of a scenario, in the neutral form of the table: a text for each of {@link #KEYS}. */
record Outcome(List<String> values) {
    static final String NONE = "-";

    /** Which hosts ran in which order, the launchers' exit statuses, and the files that both launchers know. */
    static final List<String> KEYS =
            List.of("ran", "exit", "start-attempts", "halted", "rollback-pinned", "rollback-attempted");

    static final List<String> FILES = KEYS.subList(2, KEYS.size());

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner("\n");
        for (int i = 0; i < KEYS.size(); i++) {
            if (!values.get(i).equals(NONE)) {
                text.add(KEYS.get(i) + ": " + values.get(i));
            }
        }
        return text.toString();
    }
}
