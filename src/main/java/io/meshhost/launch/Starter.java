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
    /** Of the host that was started last: its successor most often is the same. */
    private Optional<Prepared> prepared = Optional.empty();

    Starter(Means means) {
        this.means = means;
        try {
            this.spawner = new Spawner();
        } catch (IOException | UnsupportedOperationException e) {
            throw new MachineFailure("cannot start anything on this machine: " + e.getMessage(), e);
        }
    }

    /**
     * A host as it is to be started.
     *
     * @param socket where it may speak to us
     * @param givenUp what is rejected though no file says so, in the words of {@link Host#words}
     */
    record Wanted(Host host, Optional<String> socket, Optional<String> givenUp) {}

    private record Prepared(Wanted wanted, Spawner.Program program) {}

    /** @throws MachineFailure when it cannot be started */
    Child host(Wanted wanted) {
        return start(wanted.host().program().toString(), program(wanted));
    }

    /** {@code $LIBEXEC/rollback}. */
    Child script() {
        String script = means.places().libexec().resolve("rollback").toString();
        return start(script, spawner.prepare(List.of(script), Map.of(), unset));
    }

    /** The way of {@link #host} without a start, so that it has been gone before it is needed. */
    void rehearse(Wanted wanted) {
        spawner.rehearse(program(wanted));
    }

    private Spawner.Program program(Wanted wanted) {
        Prepared now = prepared.filter(made -> made.wanted().equals(wanted)).orElseGet(() -> prepare(wanted));
        prepared = Optional.of(now);
        return now.program();
    }

    private Prepared prepare(Wanted wanted) {
        Map<String, String> set = new HashMap<>(means.set());
        wanted.socket().ifPresent(path -> set.put(Variable.LAUNCHER.variable(), path));
        wanted.host().version().ifPresent(name -> set.put(Variable.VERSION.variable(), name));
        wanted.givenUp().ifPresent(words -> set.put(Variable.GIVEN_UP.variable(), words));
        List<String> argv = List.of(wanted.host().program().toString(), "run");
        return new Prepared(wanted, spawner.prepare(argv, set, unset));
    }

    private Child start(String name, Spawner.Program program) {
        try {
            return spawner.start(program);
        } catch (IOException e) {
            throw new MachineFailure("cannot start " + name + ": " + e.getMessage(), e);
        }
    }
}
