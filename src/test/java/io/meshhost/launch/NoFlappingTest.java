package io.meshhost.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever arrives and however often all of it fails, there is an end, and until then every version had its attempts. */
class NoFlappingTest {
    private static final int LIMIT = 3;

    /** A machine on which no host is ever well. */
    private static final class Machine {
        private final Map<String, Long> arrivals = new HashMap<>();
        private final List<String> rejected = new ArrayList<>();
        private final Map<String, Integer> starts = new HashMap<>();
        private Optional<Pin> pin = Optional.empty();
        private Optional<Host> last = Optional.empty();
        private boolean attempted;
        private int count;
        private long next = 1;

        void arrives() {
            arrivals.put("v" + next, next);
            next++;
        }

        Choice choice() {
            Scenes scenes = Scenes.machine().failed(count);
            arrivals.forEach(scenes::arrived);
            rejected.forEach(scenes::rejected);
            last.ifPresent(scenes::failing);
            pin.ifPresent(held -> scenes.pinned(held.version()));
            return Scenes.CHOOSING.choose((attempted ? scenes.attempted() : scenes).scene());
        }

        /** Whether it goes on. */
        boolean turn() {
            return switch (choice()) {
                case Choice.Run run -> {
                    run.instead().flatMap(Choice.Instead::rejects).ifPresent(rejected::add);
                    pin = run.pinEnded() ? Optional.empty() : pin;
                    last = Optional.of(run.host());
                    starts.merge(run.host().words(), 1, Integer::sum);
                    count = run.count() + 1;
                    yield true;
                }
                case Choice.GoBack back -> {
                    back.rejects().ifPresent(rejected::add);
                    pin = back.pin();
                    attempted = true;
                    count = 0;
                    yield true;
                }
                case Choice.Halt _, Choice.Script _ -> false;
            };
        }
    }

    @Property
    void thereIsAnEnd(@ForAll @Size(max = 12) List<@IntRange(min = 0, max = 3) Integer> arriving) {
        Machine machine = new Machine();
        int turns = 0;
        for (int many : arriving) {
            for (int i = 0; i < many; i++) {
                machine.arrives();
            }
            turns += machine.turn() ? 1 : 0;
        }
        String newest = machine.next == 1 ? "the host placed by hand" : "version v" + (machine.next - 1);
        boolean tried = !(machine.choice() instanceof Choice.Halt);
        while (machine.turn()) {
            turns++;
            assertThat(turns).isLessThan(1000);
        }
        assertThat(machine.starts.values()).allMatch(starts -> starts <= 2 * LIMIT);
        if (tried) {
            assertThat(machine.starts.get(newest)).isEqualTo(LIMIT);
        }
    }
}
