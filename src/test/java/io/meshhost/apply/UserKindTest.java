package io.meshhost.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.apply.testing.Declared;
import io.meshhost.declaration.Resource.UserResource;
import io.meshhost.machine.Accounts.Account;
import io.meshhost.machine.Places;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UserKindTest {
    private final UserKind kind = new UserKind();

    private static Facts facts(String root, boolean asRoot) {
        Path at = Path.of(root);
        return new Facts(new Places(at, at, at, at, at, at, Optional.empty()), asRoot, true, true);
    }

    private static UserResource wanted(String shell, String... groups) {
        return new UserResource(
                Declared.head("a/u"),
                "app",
                OptionalInt.empty(),
                Optional.empty(),
                Optional.of(Path.of(shell)),
                List.of(groups),
                true);
    }

    private static UserKind.Seen there(String shell, String... groups) {
        return new UserKind.Seen(Optional.of(new Account(
                "app",
                OptionalInt.of(999),
                Optional.of(Path.of("/home/app")),
                Optional.of(Path.of(shell)),
                List.of(groups))));
    }

    private Change plan(UserResource wanted, UserKind.Seen seen) {
        return kind.plan(wanted, seen, Optional.empty(), Set.of(), facts("/", true));
    }

    @Test
    void whatIsNotDeclaredOfAnAccountIsKept() {
        assertThat(plan(wanted("/bin/sh", "b", "a"), there("/bin/sh", "a", "b")).action())
                .isEqualTo(Action.UNCHANGED);
        Change change = plan(wanted("/bin/sh"), there("/bin/false", "wheel"));
        assertThat(change.action()).isEqualTo(Action.UPDATED);
        assertThat(change.detail()).isEqualTo("shell -> /bin/sh, groups -> none");
    }

    @Test
    void onlyAnAccountMadeHereIsDeleted() {
        Change made = plan(wanted("/bin/sh"), new UserKind.Seen(Optional.empty()));
        Applied row = made.recorded().orElseThrow().applied(made.want(), "", "{}");
        assertThat(kind.planUndeclare(row, there("/bin/sh"), facts("/", true)).action())
                .isEqualTo(Action.REMOVED);
        Change found = plan(wanted("/bin/sh"), there("/bin/sh"));
        Applied kept = found.recorded().orElseThrow().applied(found.want(), "", "{}");
        assertThat(kind.planUndeclare(kept, there("/bin/sh"), facts("/", true)).action())
                .isEqualTo(Action.FORGOTTEN);
    }

    @Test
    void accountsAreNotTouchedUnderARootOrWithoutRoot() {
        UserKind.Seen none = new UserKind.Seen(Optional.empty());
        assertThat(kind.plan(wanted("/bin/sh"), none, Optional.empty(), Set.of(), facts("/scratch", true))
                        .detail())
                .isEqualTo("accounts are not touched under --root");
        assertThat(kind.plan(wanted("/bin/sh"), none, Optional.empty(), Set.of(), facts("/", false))
                        .action())
                .isEqualTo(Action.SKIPPED);
    }
}
