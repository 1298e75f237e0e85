package io.meshhost.apply;

import io.meshhost.declaration.Resource.UserResource;
import io.meshhost.machine.Accounts.Account;
import io.meshhost.record.Applied;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * An account of the machine. Deleted only if it was made here, and its home stays (SPEC 2, "user").
 *
 * <p>What is not declared of it (home, shell, number) is kept; groups are what is declared, no more.
 */
final class UserKind implements Kind<UserResource, UserKind.Seen> {
    /**
     * @param account empty where there is none of that name
     */
    record Seen(Optional<Account> account) {}

    /** One call of useradd(8), usermod(8) or userdel(8). */
    record Call(String sentence) implements Step {}

    @Override
    public String type() {
        return "user";
    }

    @Override
    public boolean stages() {
        return false;
    }

    @Override
    public Seen observe(UserResource resource, Optional<Applied> recorded, Sight sight) {
        return new Seen(sight.places().wholeMachine() ? sight.accounts().user(resource.name()) : Optional.empty());
    }

    @Override
    public Change plan(UserResource resource, Seen seen, Optional<Applied> recorded, Set<String> causes, Facts facts) {
        Optional<String> untouchable = untouchable(facts);
        if (untouchable.isPresent()) {
            return Change.skipped(resource.id(), resource.type(), untouchable.get(), recorded);
        }
        if (seen.account().isEmpty()) {
            return change(resource, Action.CREATED, "added", Optional.of("useradd " + resource.name()), seen, recorded);
        }
        List<String> differences = differences(resource, seen.account().get());
        if (!differences.isEmpty()) {
            String what = String.join(", ", differences);
            return change(resource, Action.UPDATED, what, Optional.of("usermod " + resource.name()), seen, recorded);
        }
        return asDeclared(resource, seen, recorded);
    }

    /** Accounts are the machine's own: a scratch root has none, and only root may change them. */
    private static Optional<String> untouchable(Facts facts) {
        if (!facts.places().wholeMachine()) {
            return Optional.of("accounts are not touched under --root");
        }
        return facts.root() ? Optional.empty() : Optional.of("accounts can be changed by root only");
    }

    private static Change asDeclared(UserResource resource, Seen seen, Optional<Applied> recorded) {
        if (recorded.filter(row -> !row.pending() && row.want().equals(want(resource)))
                .isPresent()) {
            return Change.unchanged(resource.id(), resource.type(), "as declared", recorded.get());
        }
        boolean interrupted = recorded.filter(Applied::pending).isPresent();
        Action action =
                !interrupted ? Action.UNCHANGED : recorded.get().want().isEmpty() ? Action.CREATED : Action.UPDATED;
        String detail = interrupted
                ? "finished what was interrupted"
                : recorded.isPresent() ? "as declared" : "was so already; kept from now on";
        return change(resource, action, detail, Optional.empty(), seen, recorded);
    }

    private static List<String> differences(UserResource wanted, Account there) {
        List<String> differences = new ArrayList<>();
        if (wanted.uid().isPresent() && !wanted.uid().equals(there.uid())) {
            differences.add("uid -> " + wanted.uid().getAsInt());
        }
        wanted.home()
                .filter(home -> !there.home().equals(Optional.of(home)))
                .ifPresent(home -> differences.add("home -> " + home));
        wanted.shell()
                .filter(shell -> !there.shell().equals(Optional.of(shell)))
                .ifPresent(shell -> differences.add("shell -> " + shell));
        Set<String> groups = new TreeSet<>(wanted.groups());
        if (!groups.equals(new TreeSet<>(there.groups()))) {
            differences.add("groups -> " + (groups.isEmpty() ? "none" : String.join(",", groups)));
        }
        return differences;
    }

    private static String want(UserResource user) {
        return user.uid() + " " + user.home() + " " + user.shell() + " " + new TreeSet<>(user.groups());
    }

    private static Change change(
            UserResource resource,
            Action action,
            String detail,
            Optional<String> call,
            Seen seen,
            Optional<Applied> recorded) {
        Applied row = recorded.orElseGet(() -> Applied.first(
                resource.id(),
                resource.type(),
                resource.target(),
                Json.object().put("found", seen.account().isPresent()).toString()));
        return Change.of(
                resource,
                action,
                detail,
                Diff.NONE,
                call.<List<Step>>map(words -> List.of(new Call(words))).orElse(List.of()),
                row,
                want(resource));
    }

    @Override
    public Done carryOut(UserResource resource, Change change, Work work) {
        if (!change.steps().isEmpty()) {
            Account wanted = new Account(
                    resource.name(),
                    resource.uid(),
                    resource.home(),
                    resource.shell(),
                    List.copyOf(new TreeSet<>(resource.groups())));
            if (work.accounts().user(resource.name()).isEmpty()) {
                work.accounts().add(wanted, resource.system());
            } else {
                work.accounts().modify(wanted);
            }
        }
        return new Done(change.detail(), "", "{}");
    }

    @Override
    public Seen observeUndeclared(Applied recorded, Sight sight) {
        return new Seen(sight.places().wholeMachine() ? sight.accounts().user(recorded.target()) : Optional.empty());
    }

    @Override
    public Change planUndeclare(Applied recorded, Seen seen, Facts facts) {
        Optional<String> untouchable = untouchable(facts);
        if (untouchable.isPresent()) {
            return Change.leaving(recorded, Action.SKIPPED, untouchable.get(), List.of());
        }
        if (seen.account().isEmpty()) {
            return Change.leaving(recorded, Action.FORGOTTEN, "gone already", List.of());
        }
        if (Json.read(recorded.before()).path("found").asBoolean(true)) {
            return Change.leaving(recorded, Action.FORGOTTEN, "left: the account was there before the host", List.of());
        }
        return Change.leaving(
                recorded,
                Action.REMOVED,
                "deleted, its home is left",
                List.of(new Call("userdel " + recorded.target())));
    }

    @Override
    public Done undeclare(Applied recorded, Change change, Work work) {
        work.accounts().delete(recorded.target());
        return new Done(change.detail(), "", recorded.notes());
    }
}
