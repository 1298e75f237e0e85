package io.meshhost.apply.testing;

import io.meshhost.machine.Accounts;
import io.meshhost.machine.MachineFailure;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Accounts in memory; refuses what useradd(8) would refuse. */
public final class FakeAccounts implements Accounts {
    private final Map<String, Account> users = new TreeMap<>();
    private final int ownUid;
    private int next = 1000;

    /** Told before each change: a test cuts the power there. */
    public Runnable before = () -> {};

    /**
     * @param ownUid who runs the program: 0 for root
     */
    public FakeAccounts(int ownUid) {
        this.ownUid = ownUid;
    }

    @Override
    public OptionalInt uid(String nameOrNumber) {
        if (nameOrNumber.chars().allMatch(Character::isDigit)) {
            return OptionalInt.of(Integer.parseInt(nameOrNumber));
        }
        Account account = users.get(nameOrNumber);
        return nameOrNumber.equals("root") ? OptionalInt.of(0) : account == null ? OptionalInt.empty() : account.uid();
    }

    @Override
    public OptionalInt gid(String nameOrNumber) {
        return uid(nameOrNumber);
    }

    @Override
    public OptionalInt primaryGid(String nameOrNumber) {
        return uid(nameOrNumber);
    }

    @Override
    public String userName(int uid) {
        return users.values().stream()
                .filter(account -> account.uid().equals(OptionalInt.of(uid)))
                .map(Account::name)
                .findFirst()
                .orElse(Integer.toString(uid));
    }

    @Override
    public String groupName(int gid) {
        return userName(gid);
    }

    @Override
    public Optional<Account> user(String name) {
        return Optional.ofNullable(users.get(name));
    }

    @Override
    public void add(Account account, boolean system) {
        before.run();
        if (users.containsKey(account.name())) {
            throw new MachineFailure(
                    "cannot add the user " + account.name() + ": user '" + account.name() + "' already exists");
        }
        users.put(account.name(), with(account, account.uid().orElseGet(() -> next++)));
    }

    @Override
    public void modify(Account account) {
        before.run();
        Account old = users.get(account.name());
        if (old == null) {
            throw new MachineFailure("cannot modify the user " + account.name() + ": it does not exist");
        }
        users.put(
                account.name(),
                new Account(
                        account.name(),
                        account.uid().isPresent() ? account.uid() : old.uid(),
                        account.home().or(old::home),
                        account.shell().or(old::shell),
                        account.groups()));
    }

    @Override
    public void delete(String name) {
        before.run();
        if (users.remove(name) == null) {
            throw new MachineFailure("cannot delete the user " + name + ": it does not exist");
        }
    }

    @Override
    public int ownUid() {
        return ownUid;
    }

    @Override
    public int ownGid() {
        return ownUid;
    }

    private static Account with(Account account, int uid) {
        return new Account(account.name(), OptionalInt.of(uid), account.home(), account.shell(), account.groups());
    }
}
