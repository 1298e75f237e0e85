package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Declared;
import io.meshhost.declaration.Resource.ServiceResource;
import io.meshhost.machine.Places;
import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.ServiceState.Active;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.machine.services.ServiceState.Load;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceKindTest {
    private static final Facts SYSTEMD = facts("/", true);

    private final ServiceKind kind = new ServiceKind();

    private static Facts facts(String root, boolean systemd) {
        Path at = Path.of(root);
        Places places = new Places(at, at, at, at, at, at, Optional.empty());
        return new Facts(places, true, true, systemd);
    }

    private static ServiceState state(boolean running, Enabled enabled, String type, boolean remains) {
        return new ServiceState(
                "x.service",
                Load.LOADED,
                running ? Active.ACTIVE : Active.INACTIVE,
                running ? "running" : "dead",
                enabled,
                "success",
                type,
                remains,
                0,
                0,
                Optional.empty());
    }

    private static ServiceState state(boolean running, Enabled enabled) {
        return state(running, enabled, "simple", false);
    }

    private static ServiceResource wanted(String running, String enabled) {
        return service("a/x", "x.service", bool(running), bool(enabled));
    }

    private static Optional<Boolean> bool(String word) {
        return word.equals("-") ? Optional.empty() : Optional.of(Boolean.valueOf(word));
    }

    private Change plan(ServiceResource wanted, ServiceState seen) {
        return kind.plan(wanted, seen, Optional.empty(), Set.of(), SYSTEMD);
    }

    private static List<String> steps(Change change) {
        return change.steps().stream().map(Step::sentence).toList();
    }

    // SV-01
    @ParameterizedTest
    @CsvSource({
        "true, ENABLED, ''",
        "true, ENABLED_RUNTIME, enable",
        "true, LINKED, enable",
        "true, LINKED_RUNTIME, enable",
        "true, ALIAS, ''",
        "true, INDIRECT, enable",
        "true, DISABLED, enable",
        "false, ENABLED, disable",
        "false, ENABLED_RUNTIME, disable",
        "false, ALIAS, disable",
        "false, DISABLED, ''",
        "false, STATIC, ''",
        "false, MASKED, ''",
        "false, GENERATED, ''"
    })
    void eachAnswerOfIsEnabledIsUnderstood(String wanted, Enabled found, String verb) {
        Change change = plan(wanted("-", wanted), state(true, found));
        assertThat(steps(change)).isEqualTo(verb.isEmpty() ? List.of() : List.of(verb + " x.service"));
    }

    @ParameterizedTest
    @CsvSource({"STATIC", "GENERATED", "TRANSIENT", "BAD"})
    void whatCannotBeEnabledIsSaidWhenPlanning(Enabled found) {
        Change change = plan(wanted("-", "true"), state(true, found));
        assertThat(change.action()).isEqualTo(Action.FAILED);
        assertThat(change.detail()).endsWith("which cannot be enabled; leave enabled out");
    }

    // SV-03
    @Test
    void aOneShotThatDoesNotRemainIsNeverStartedAtEachTurn() {
        Change change = plan(wanted("true", "-"), state(false, Enabled.DISABLED, "oneshot", false));
        assertThat(change.action()).isEqualTo(Action.FAILED);
        assertThat(change.detail()).contains("RemainAfterExit=yes");
        assertThat(steps(plan(wanted("true", "-"), state(false, Enabled.DISABLED, "oneshot", true))))
                .containsExactly("start x.service");
    }

    @Test
    void aRunningServiceIsRestartedByItsCausesAndAStoppedOneIsNot() {
        Change running =
                kind.plan(wanted("-", "-"), state(true, Enabled.ENABLED), Optional.empty(), Set.of("a/c"), SYSTEMD);
        assertThat(steps(running)).containsExactly("restart x.service");
        assertThat(running.detail()).isEqualTo("restarted because of a/c");
        assertThat(steps(kind.plan(
                        wanted("false", "-"), state(false, Enabled.ENABLED), Optional.empty(), Set.of("a/c"), SYSTEMD)))
                .isEmpty();
    }

    @Test
    void aUnitThatDoesNotExistFailsOnlyIfItIsToRun() {
        assertThat(plan(wanted("true", "-"), ServiceState.absent("x.service")).action())
                .isEqualTo(Action.FAILED);
        assertThat(plan(wanted("false", "false"), ServiceState.absent("x.service"))
                        .action())
                .isEqualTo(Action.UNCHANGED);
    }

    @Test
    void whereSystemdIsNotTheSupervisorItIsSkipped() {
        assertThat(kind.plan(
                                wanted("true", "-"),
                                ServiceState.absent("x.service"),
                                Optional.empty(),
                                Set.of(),
                                facts("/", false))
                        .action())
                .isEqualTo(Action.SKIPPED);
        assertThat(kind.plan(
                                wanted("true", "-"),
                                ServiceState.absent("x.service"),
                                Optional.empty(),
                                Set.of(),
                                facts("/scratch", true))
                        .detail())
                .isEqualTo("the machine's units are not touched under --root");
    }

    // SV-06: what was found, what was declared, what runs when undeclared, what is done about it.
    @ParameterizedTest
    @CsvSource({
        "false, DISABLED, true, true, true, ENABLED, 'disable x.service,stop x.service'",
        "false, ENABLED, true, -, true, ENABLED, 'stop x.service'",
        "true, ENABLED, true, true, true, ENABLED, ''",
        "true, ENABLED, false, false, false, DISABLED, 'enable x.service'",
        "true, ENABLED, -, -, false, ENABLED, ''",
        "false, ENABLED, true, -, false, ENABLED, ''",
        "false, DISABLED, -, true, true, ENABLED, 'disable x.service'"
    })
    void undeclaredItGetsBackWhatWasFoundAndNothingIsStarted(
            boolean ran, Enabled was, String running, String enabled, boolean runs, Enabled is, String expected) {
        Change first = plan(wanted(running, enabled), state(ran, was));
        Applied row = first.recorded().orElseThrow().applied(first.want(), "", "{}");
        Change undeclare = kind.planUndeclare(row, state(runs, is), SYSTEMD);
        assertThat(String.join(",", steps(undeclare))).isEqualTo(expected);
        assertThat(undeclare.action()).isEqualTo(expected.isEmpty() ? Action.FORGOTTEN : Action.RESTORED);
    }

    @Test
    void oneFoundRunningThatTheDeclarationStoppedStaysStoppedAndThatIsSaid() {
        Change first = plan(wanted("false", "-"), state(true, Enabled.ENABLED));
        Applied row = first.recorded().orElseThrow().applied(first.want(), "", "{}");
        assertThat(kind.planUndeclare(row, state(false, Enabled.ENABLED), SYSTEMD)
                        .detail())
                .isEqualTo("it ran before and stays stopped: nothing is started on the way out");
    }

    @Test
    void aRowFromBeforeThisRuleLeavesTheUnitAlone() {
        Applied row = Applied.first("a/x", "service", "x.service", "{}").applied("", "", "{}");
        Change change = kind.planUndeclare(row, state(true, Enabled.ENABLED), SYSTEMD);
        assertThat(change.action()).isEqualTo(Action.FORGOTTEN);
        assertThat(change.steps()).isEmpty();
    }

    @Test
    void aStartCutShortIsUndoneFromWhatWasIntended() {
        Change first = plan(wanted("true", "-"), state(false, Enabled.ENABLED));
        Applied pending = first.recorded().orElseThrow().pendingAgain();
        assertThat(steps(kind.planUndeclare(pending, state(true, Enabled.ENABLED), SYSTEMD)))
                .containsExactly("stop x.service");
        assertThat(Declared.head("a/x").slug()).isEqualTo("a");
    }
}
