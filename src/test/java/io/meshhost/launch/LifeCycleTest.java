package io.meshhost.launch;

import static io.meshhost.launch.Lives.LIMITS;
import static io.meshhost.launch.Lives.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every event means in every state, against the table life-cycle.txt: no pair is left out, and none is left over. */
class LifeCycleTest {
    private static final LifeCycle CYCLE = new LifeCycle(LIMITS);

    @Test
    void everyEventInEveryStateMeansWhatTheTableSays() throws IOException {
        List<String> rows = new ArrayList<>();
        for (Map.Entry<String, Life> life : Lives.lives().entrySet()) {
            for (Map.Entry<String, Event> event : Lives.events().entrySet()) {
                Turn turn = CYCLE.turn(new State(life.getValue(), 1, 0), event.getValue(), NOW);
                boolean same = turn.next().equals(new State(life.getValue(), 1, 0))
                        && turn.effects().isEmpty();
                rows.add(life.getKey() + " | " + event.getKey() + " | " + (same ? "-" : Lives.words(turn)));
            }
        }
        assertThat(rows).containsExactlyElementsOf(table());
    }

    @Test
    void theTableKnowsEveryKindOfStateAndEvent() {
        assertThat(Lives.lives().values().stream().map(Object::getClass).distinct())
                .hasSize(7);
        assertThat(Lives.events().values().stream().map(Object::getClass).distinct())
                .hasSize(7);
    }

    private static List<String> table() throws IOException {
        try (InputStream in = LifeCycleTest.class.getResourceAsStream("/launch/life-cycle.txt")) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }
}
