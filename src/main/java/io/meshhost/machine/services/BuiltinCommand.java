package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a process is started: pure. The command is led in by what gives it limits, user, session and the
 * death of its parent; each of these replaces itself by the next, so the pid is the process's own.
 *
 * @param argv the whole command line
 * @param environment all of it: nothing is inherited
 */
record BuiltinCommand(List<String> argv, SortedMap<String, String> environment) {
    /** systemd's default where it starts services. */
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** Marks all processes of one run, as systemd does (systemd.exec(5)); by it a lost child is known. */
    static final String MARK = "INVOCATION_ID";

    /** Names that the dynamic linker and the C library obey and that glibc strips from setuid programs. */
    private static final Set<String> OBEYED = Set.of(
            "GCONV_PATH",
            "GETCONF_DIR",
            "GLIBC_TUNABLES",
            "HOSTALIASES",
            "LOCALDOMAIN",
            "LOCPATH",
            "NIS_PATH",
            "NLSPATH",
            "RES_OPTIONS",
            "RESOLV_HOST_CONF",
            "TMPDIR",
            "TZDIR");

    /**
     * Programs of util-linux and coreutils that lead a process in, by their real places.
     *
     * @param mostFiles the highest RLIMIT_NOFILE that we may give: our own hard limit, when we are not root
     */
    record Tools(
            Optional<Path> setpriv,
            Optional<Path> setsid,
            Optional<Path> prlimit,
            Optional<Path> env,
            long mostFiles) {}

    /** A line of passwd(5), as far as it matters to a process. */
    record Login(String name, int uid, int gid, String home, String shell) {}

    /**
     * @param login of {@code spec.user()}; empty: none is declared, or the host is not root and stays who it is
     * @param files values read from the spec's files, secrets first
     * @throws MachineFailure when the user cannot be changed for want of setpriv(1)
     */
    static BuiltinCommand of(
            ProcessSpec spec, Optional<Login> login, Map<String, String> files, String mark, Tools tools) {
        SortedMap<String, String> environment = new TreeMap<>();
        environment.put("PATH", PATH);
        login.ifPresent(who -> {
            environment.put("HOME", who.home());
            environment.put("LOGNAME", who.name());
            environment.put("SHELL", who.shell());
            environment.put("USER", who.name());
        });
        environment.putAll(spec.environment());
        environment.putAll(spec.secrets());
        environment.putAll(files);
        environment.put(MARK, mark);

        List<String> argv = new ArrayList<>();
        // Raising a hard limit takes the rights that setpriv gives up.
        spec.limits()
                .files()
                .ifPresent(declared -> tools.prlimit().ifPresent(prlimit -> {
                    long count = Math.min(declared, tools.mostFiles());
                    argv.addAll(List.of(prlimit.toString(), "--nofile=" + count + ":" + count, "--"));
                }));
        argv.addAll(privileges(spec, login, tools));
        // Its own session: what it starts is found by it, and no terminal of ours reaches it.
        tools.setsid().ifPresent(setsid -> argv.addAll(List.of(setsid.toString(), "--")));
        argv.addAll(held(login, environment, tools));
        argv.addAll(spec.argv());
        return new BuiltinCommand(List.copyOf(argv), environment);
    }

    private static List<String> privileges(ProcessSpec spec, Optional<Login> login, Tools tools) {
        if (tools.setpriv().isEmpty()) {
            if (login.isPresent()) {
                throw new MachineFailure("cannot start " + spec.name() + " as "
                        + login.get().name() + ": there is no setpriv; install util-linux");
            }
            return List.of();
        }
        List<String> argv = new ArrayList<>();
        argv.add(tools.setpriv().get().toString());
        login.ifPresent(who -> argv.addAll(List.of("--reuid", "" + who.uid(), "--regid", "" + who.gid(), groups(who))));
        argv.addAll(List.of("--pdeathsig", "KILL", "--"));
        return argv;
    }

    /** A number that is nobody's account has no groups to look up. */
    private static String groups(Login who) {
        return who.name().equals("" + who.uid()) ? "--clear-groups" : "--init-groups";
    }

    /**
     * Variables that would make setpriv, still root, load the user's own code are taken out of the environment
     * and given back by env(1), which runs as the user already.
     */
    private static List<String> held(Optional<Login> login, SortedMap<String, String> environment, Tools tools) {
        List<String> names =
                environment.keySet().stream().filter(BuiltinCommand::obeyed).toList();
        if (login.isEmpty() || names.isEmpty()) {
            return List.of();
        }
        List<String> argv = new ArrayList<>();
        argv.add(tools.env()
                .orElseThrow(() -> new MachineFailure("cannot set " + names.getFirst() + " for "
                        + login.get().name() + ": there is no env; install coreutils"))
                .toString());
        names.forEach(name -> argv.add(name + "=" + environment.remove(name)));
        return argv;
    }

    private static boolean obeyed(String name) {
        return name.startsWith("LD_") || name.startsWith("MALLOC_") || OBEYED.contains(name);
    }

    /**
     * What of a process's fences this supervisor cannot put up, in words: control groups and name spaces are
     * systemd's.
     */
    static List<String> limitsNotEnforced(ProcessSpec spec, boolean root, Tools tools) {
        List<String> out = new ArrayList<>();
        spec.limits().memory().ifPresent(_ -> out.add("memory"));
        spec.limits().cpu().ifPresent(_ -> out.add("cpu"));
        spec.limits().tasks().ifPresent(_ -> out.add("tasks"));
        spec.limits().files().ifPresent(count -> {
            if (tools.prlimit().isEmpty() || count > tools.mostFiles()) {
                out.add("files");
            }
        });
        if (spec.sandbox() != ProcessSpec.Sandbox.NONE) {
            out.add("sandbox");
        }
        if (spec.user().isPresent() && !root) {
            out.add("user");
        }
        return out;
    }
}
