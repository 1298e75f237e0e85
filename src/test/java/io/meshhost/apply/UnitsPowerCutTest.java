package io.meshhost.apply;

import static io.meshhost.apply.testing.Declared.file;
import static io.meshhost.apply.testing.Declared.machine;
import static io.meshhost.apply.testing.Declared.service;
import static io.meshhost.apply.testing.Declared.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.EveryCut;
import io.meshhost.apply.testing.MemoryFolder;
import io.meshhost.apply.testing.Rig;
import io.meshhost.apply.testing.WholeMachine;
import io.meshhost.declaration.Declaration;
import io.meshhost.machine.Accounts.Account;
import io.meshhost.machine.Machine;
import io.meshhost.machine.services.ServiceState.Enabled;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Accounts and the machine's own units: the power is cut before each write, around each transaction, and before each
 * call of the supervisor and of useradd(8); then a new host applies.
 */
class UnitsPowerCutTest {
    private static final String UNIT = "x.service";

    private static final Declaration FIRST = machine(
            user("a/app", "app", "/bin/sh", "b", "a"),
            user("a/found", "found", "/bin/sh"),
            file("a/conf", "/etc/conf", "1"),
            service("a/x", UNIT, Optional.of(true), Optional.of(true), "a/conf"));

    private static final Declaration SECOND = machine(
            user("a/app", "app", "/bin/false", "c"),
            user("a/found", "found", "/bin/sh"),
            file("a/conf", "/etc/conf", "2"),
            service("a/x", UNIT, Optional.of(true), Optional.empty(), "a/conf"));

    @TempDir(factory = MemoryFolder.class)
    Path base;

    private static List<Kind<?, ?>> kinds(Machine machine) {
        return List.of(
                new FileKind(machine.clock()),
                new WholeMachine<>(new UserKind()),
                new WholeMachine<>(new ServiceKind()));
    }

    private static Rig arranged(Rig rig) {
        rig.services.install(UNIT, false, Enabled.DISABLED, "simple");
        rig.accounts.add(
                new Account(
                        "found",
                        OptionalInt.of(500),
                        Optional.of(Path.of("/srv")),
                        Optional.of(Path.of("/bin/sh")),
                        List.of()),
                false);
        return rig.with(UnitsPowerCutTest::kinds);
    }

    private void everyCut(Consumer<Rig> before, Declaration declaration, Consumer<Rig> after) {
        new EveryCut(base, UnitsPowerCutTest::arranged).ofCallsToo(before, declaration, after);
    }

    private static void assertAccount(Rig rig, String shell, String... groups) {
        assertThat(rig.accounts.user("app")).hasValueSatisfying(account -> {
            assertThat(account.shell()).contains(Path.of(shell));
            assertThat(account.groups()).containsExactly(groups);
        });
    }

    private static void assertAsBeforeTheHost(Rig rig) {
        assertThat(rig.accounts.user("app")).isEmpty();
        assertThat(rig.accounts.user("found")).isPresent();
        assertThat(rig.services.state(UNIT).running()).isFalse();
        assertThat(rig.services.state(UNIT).enabled()).isEqualTo(Enabled.DISABLED);
        assertThat(rig.record().applied()).isEmpty();
        assertThat(rig.record().owed()).isEmpty();
    }

    @Test
    void aFirstApplyEndsAsDeclaredAndWhatWasThereBeforeIsNotForgotten() {
        everyCut(rig -> {}, FIRST, rig -> {
            assertAccount(rig, "/bin/sh", "a", "b");
            assertThat(rig.services.state(UNIT).running()).isTrue();
            assertThat(rig.services.state(UNIT).enabled()).isEqualTo(Enabled.ENABLED);
            rig.apply(machine());
            assertAsBeforeTheHost(rig);
        });
    }

    @Test
    void aChangeIsFinishedAndItsRestartIsNotLost() {
        everyCut(
                rig -> {
                    rig.apply(FIRST);
                    rig.write("/told", Integer.toString(rig.services.told().size()));
                },
                SECOND,
                rig -> {
                    assertAccount(rig, "/bin/false", "c");
                    int before = Integer.parseInt(rig.text("/told"));
                    assertThat(rig.services
                                    .told()
                                    .subList(before, rig.services.told().size()))
                            .contains("restart " + UNIT)
                            .containsOnly("restart " + UNIT);
                    assertThat(rig.record().owed()).isEmpty();
                });
    }

    @Test
    void takingAwayEndsAsItWasBefore() {
        everyCut(rig -> rig.apply(FIRST), machine(), UnitsPowerCutTest::assertAsBeforeTheHost);
    }
}
