package io.meshhost.launch.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our launcher and a shell launcher on the same fake hosts. What must come of each scenario stands in scenarios.txt: for
 * ours, and where that is meant to differ, for the shell's with the reason. Ours runs always; the shell's, and takeovers from
 * one to the other, when the variable MESH_HOST_ORACLE names it.
 */
class DifferentialTest {
    /** Scenarios wait most of the time. */
    private static final int AT_ONCE = 6;

    private static final Optional<Path> ORACLE =
            Optional.ofNullable(System.getenv("MESH_HOST_ORACLE")).map(Path::of);

    @TempDir
    private Path temp;

    @TestFactory
    List<DynamicTest> ourLauncherDoesWhatTheTableSays() throws Exception {
        return tests(List.of(Optional.empty()), Scenario::ours, Scenario.table());
    }

    @TestFactory
    List<DynamicTest> theShellLauncherDoesWhatTheTableSaysOfIt() throws Exception {
        return ORACLE.isEmpty() ? List.of() : tests(List.of(ORACLE), Scenario::theirs, Scenario.table());
    }

    @TestFactory
    List<DynamicTest> theyTakeOverFromEachOther() throws Exception {
        if (ORACLE.isEmpty()) {
            return List.of();
        }
        List<Scenario> takeovers = Scenario.table().stream()
                .filter(scenario -> scenario.launchers() > 1 && scenario.why().isEmpty())
                .toList();
        List<DynamicTest> all = new ArrayList<>(tests(List.of(Optional.empty(), ORACLE), Scenario::ours, takeovers));
        all.addAll(tests(List.of(ORACLE, Optional.empty()), Scenario::ours, takeovers));
        return all;
    }

    @Test
    void theTableHasAtLeastFortyScenariosAndAReasonForEachDifference() {
        List<Scenario> table = Scenario.table();
        assertThat(table).hasSizeGreaterThanOrEqualTo(40);
        assertThat(table.stream().map(Scenario::name)).doesNotHaveDuplicates();
        for (Scenario scenario : table) {
            assertThat(scenario.why().isPresent())
                    .as(scenario.name())
                    .isEqualTo(!scenario.ours().equals(scenario.theirs()));
        }
    }

    private interface Expectation {
        Outcome of(Scenario scenario);
    }

    /** @param turns launchers that follow one another, again from the first when there are not enough */
    private List<DynamicTest> tests(List<Optional<Path>> turns, Expectation expected, List<Scenario> scenarios)
            throws Exception {
        // All of them first: a program that is written while another thread forks cannot be executed until that has
        // exec'ed.
        Map<Scenario, Stage> stages = new LinkedHashMap<>();
        for (Scenario scenario : scenarios) {
            stages.put(scenario, Stage.of(scenario, Files.createTempDirectory(temp, "s")));
        }
        Map<Scenario, Future<Outcome>> running = new LinkedHashMap<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE)) {
            for (Map.Entry<Scenario, Stage> entry : stages.entrySet()) {
                Scenario scenario = entry.getKey();
                List<Optional<Path>> scripts = Collections.nCopies(scenario.launchers(), turns).stream()
                        .flatMap(List::stream)
                        .limit(scenario.launchers())
                        .toList();
                running.put(scenario, pool.submit(() -> Launchers.run(scenario, entry.getValue(), scripts)));
            }
        }
        return running.entrySet().stream()
                .map(entry -> dynamicTest(
                        entry.getKey().name(),
                        () -> assertThat(entry.getValue().get().toString())
                                .isEqualTo(expected.of(entry.getKey()).toString())))
                .toList();
    }
}
