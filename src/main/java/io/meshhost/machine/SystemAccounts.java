package io.meshhost.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Accounts from /etc/passwd and /etc/group, read again when their signature has changed; a name that is not there is
 * asked of getent(1), which knows the directory services too.
 */
public final class SystemAccounts implements Accounts {
    private static final int NO_SUCH_USER = 6;

    private final Commands commands;
    private final Self self = Self.read();
    private final AccountFile users;
    private final AccountFile groups;
    /** Numbers without a name, so that a tree of such files does not start a program for each. */
    private final Map<String, String> asked = new ConcurrentHashMap<>();

    public SystemAccounts(Commands commands) {
        this(commands, Path.of("/etc"));
    }

    SystemAccounts(Commands commands, Path etc) {
        this.commands = commands;
        this.users = new AccountFile(etc.resolve("passwd"), asked::clear);
        this.groups = new AccountFile(etc.resolve("group"), asked::clear);
    }

    @Override
    public OptionalInt uid(String nameOrNumber) {
        return id("passwd", users, nameOrNumber);
    }

    @Override
    public OptionalInt gid(String nameOrNumber) {
        return id("group", groups, nameOrNumber);
    }

    @Override
    public OptionalInt primaryGid(String nameOrNumber) {
        OptionalInt uid = digits(nameOrNumber) ? number(nameOrNumber) : OptionalInt.empty();
        Optional<AccountFile.Line> numbered = uid.isPresent() ? users.line(uid.getAsInt()) : Optional.empty();
        return numbered.or(() -> line("passwd", users, nameOrNumber))
                .filter(line -> line.fields().size() > 3 && digits(line.fields().get(3)))
                .map(line -> number(line.fields().get(3)))
                .orElse(OptionalInt.empty());
    }

    @Override
    public String userName(int uid) {
        return name("passwd", users, uid);
    }

    @Override
    public String groupName(int gid) {
        return name("group", groups, gid);
    }

    @Override
    public Optional<Account> user(String name) {
        return line("passwd", users, name)
                .map(line -> new Account(
                        line.name(), OptionalInt.of(line.id()), line.path(5), line.path(6), groupsOf(line.name())));
    }

    @Override
    public void add(Account account, boolean system) {
        List<String> argv = new ArrayList<>(List.of("useradd"));
        argv.addAll(system ? List.of("--system", "--no-create-home") : List.of("--create-home"));
        // useradd refuses to make the user's own group where one of that name is there already.
        if (groups.line(account.name()).isPresent()) {
            argv.addAll(List.of("--gid", account.name()));
        }
        argv.addAll(common(account, "--home-dir"));
        if (!account.groups().isEmpty()) {
            argv.addAll(List.of("--groups", String.join(",", account.groups())));
        }
        run(argv, account.name());
    }

    @Override
    public void modify(Account account) {
        Account now = user(account.name())
                .orElseThrow(() -> new MachineFailure(
                        "cannot change user " + account.name() + ": there is none; declare it as a user"));
        Account changed = new Account(
                account.name(),
                account.uid().equals(now.uid()) ? OptionalInt.empty() : account.uid(),
                account.home().filter(home -> now.home().filter(home::equals).isEmpty()),
                account.shell()
                        .filter(shell -> now.shell().filter(shell::equals).isEmpty()),
                account.groups());
        List<String> argv = new ArrayList<>(common(changed, "--home"));
        List<String> wanted = account.groups().stream().sorted().toList();
        if (!wanted.equals(now.groups())) {
            argv.addAll(List.of("--groups", String.join(",", wanted)));
        }
        if (!argv.isEmpty()) {
            argv.addFirst("usermod");
            run(argv, account.name());
        }
    }

    @Override
    public void delete(String name) {
        Commands.Command command = Commands.Command.of("userdel", "--", name);
        Commands.Result result = commands.run(command);
        if (!result.ok() && result.status() != NO_SUCH_USER) {
            throw new MachineFailure("cannot remove user " + name + ": " + result.lastWords());
        }
    }

    @Override
    public int ownUid() {
        return self.uid();
    }

    @Override
    public int ownGid() {
        return self.gid();
    }

    private static List<String> common(Account account, String homeOption) {
        List<String> argv = new ArrayList<>();
        account.uid().ifPresent(uid -> argv.addAll(List.of("--uid", Integer.toUnsignedString(uid))));
        account.home().ifPresent(home -> argv.addAll(List.of(homeOption, home.toString())));
        account.shell().ifPresent(shell -> argv.addAll(List.of("--shell", shell.toString())));
        return argv;
    }

    private void run(List<String> argv, String name) {
        List<String> whole = new ArrayList<>(argv);
        whole.addAll(List.of("--", name));
        Commands.Result result = commands.run(Commands.Command.of(whole.toArray(String[]::new)));
        if (!result.ok()) {
            String verb = argv.getFirst().equals("useradd") ? "add" : "change";
            throw new MachineFailure("cannot " + verb + " user " + name + ": " + result.lastWords());
        }
    }

    /** Supplementary groups only: the primary one is in passwd. */
    private List<String> groupsOf(String name) {
        return groups.lines().stream()
                .filter(group -> group.members().contains(name))
                .map(AccountFile.Line::name)
                .sorted()
                .toList();
    }

    private OptionalInt id(String database, AccountFile file, String nameOrNumber) {
        if (digits(nameOrNumber)) {
            return number(nameOrNumber);
        }
        return line(database, file, nameOrNumber)
                .map(line -> OptionalInt.of(line.id()))
                .orElse(OptionalInt.empty());
    }

    private static boolean digits(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static OptionalInt number(String digits) {
        try {
            return OptionalInt.of(Integer.parseUnsignedInt(digits));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    private String name(String database, AccountFile file, int id) {
        return file.line(id).map(AccountFile.Line::name).orElseGet(() -> {
            String digits = Integer.toUnsignedString(id);
            Function<String, String> ask =
                    key -> getent(database, digits).map(AccountFile.Line::name).orElse(digits);
            return asked.computeIfAbsent(database + " " + digits, ask);
        });
    }

    private Optional<AccountFile.Line> line(String database, AccountFile file, String name) {
        Optional<AccountFile.Line> here = file.line(name);
        return here.isPresent() ? here : getent(database, name);
    }

    private Optional<AccountFile.Line> getent(String database, String key) {
        // Names that no database holds, and that getent would take for options or for several keys.
        if (key.isEmpty()
                || key.startsWith("-")
                || key.indexOf(':') >= 0
                || commands.find("getent").isEmpty()) {
            return Optional.empty();
        }
        Commands.Result result = commands.run(Commands.Command.of("getent", database, key));
        return result.ok() ? result.out().lines().findFirst().flatMap(AccountFile.Line::parse) : Optional.empty();
    }
}
