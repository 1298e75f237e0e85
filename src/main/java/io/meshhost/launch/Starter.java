package io.meshhost.launch;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Variable;
import io.meshhost.machine.linux.Child;
import io.meshhost.machine.linux.Spawner;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Starts what the supervisor runs, with the environment that it is to have. */
final class Starter {
    private final Means means;
    private final Set<String> unset = Means.unset();
    private final Spawner spawner;

    Starter(Means means) {
        this.means = means;
        try {
            this.spawner = new Spawner();
        } catch (IOException e) {
            throw new MachineFailure("cannot read /proc/self/environ: " + e.getMessage() + "; mount /proc", e);
        }
    }

    /**
     * @param socket where it may speak to us
     * @param givenUp what is rejected though no file says so, in the words of {@link Host#words}
     * @throws MachineFailure when it cannot be started
     */
    Child host(Host host, Optional<String> socket, Optional<String> givenUp) {
        return start(List.of(host.program().toString(), "run"), variables(host, socket, givenUp));
    }

    /** {@code $LIBEXEC/rollback}. */
    Child script() {
        return start(List.of(means.places().libexec().resolve("rollback").toString()), Map.of());
    }

    /** The way of {@link #host} without a start, so that it has been gone before it is needed. */
    void rehearse(Host host, Optional<String> socket) {
        spawner.rehearse(List.of(host.program().toString(), "run"), variables(host, socket, Optional.empty()), unset);
    }

    private Map<String, String> variables(Host host, Optional<String> socket, Optional<String> givenUp) {
        Map<String, String> set = new HashMap<>(means.set());
        socket.ifPresent(path -> set.put(Variable.LAUNCHER.variable(), path));
        host.version().ifPresent(name -> set.put(Variable.VERSION.variable(), name));
        givenUp.ifPresent(words -> set.put(Variable.GIVEN_UP.variable(), words));
        return set;
    }

    private Child start(List<String> argv, Map<String, String> set) {
        try {
            return spawner.start(argv, set, unset);
        } catch (IOException e) {
            throw new MachineFailure("cannot start " + argv.getFirst() + ": " + e.getMessage(), e);
        }
    }
}
