package io.meshhost.launch;

import io.meshhost.machine.Files;
import io.meshhost.machine.Places;
import io.meshhost.machine.Probe;
import io.meshhost.machine.Settings;
import io.meshhost.machine.SystemAccounts;
import io.meshhost.machine.SystemCommands;
import io.meshhost.machine.SystemTicker;
import io.meshhost.machine.Ticker;
import io.meshhost.machine.Variable;
import io.meshhost.machine.linux.Systemd;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a supervisor is put together from.
 *
 * @param placed the host placed by hand
 * @param socket where hosts speak to it
 * @param complaints what is wrong with the settings
 * @param set variables for the host
 * @param say prints a line
 * @param own uid of this program
 */
record Means(
        Places places,
        Path placed,
        Path socket,
        Files files,
        Ticker ticker,
        InstantSource clock,
        Systemd systemd,
        Limits limits,
        List<String> complaints,
        Map<String, String> set,
        Consumer<String> say,
        int own) {

    /** The socket of the supervisor lies beside the control socket. */
    static Path socketBeside(Path control) {
        return control.resolveSibling("launcher.sock");
    }

    /** Only the supervisor speaks to systemd for the service. */
    static Set<String> unset() {
        return Set.of(
                Systemd.SOCKET,
                Systemd.WATCHDOG,
                Systemd.WATCHDOG_PID,
                Variable.LAUNCHER.variable(),
                Variable.VERSION.variable(),
                Variable.GIVEN_UP.variable());
    }

    static Means real(Settings settings, Map<String, String> environment, Consumer<String> say) {
        Places places = settings.places();
        Path placed = settings.place(Variable.BIN);
        Limits limits = new Limits(
                settings.count(Variable.START_LIMIT),
                settings.time(Variable.BACKOFF),
                settings.time(Variable.START_TIMEOUT),
                settings.time(Variable.STOP_TIMEOUT),
                !environment.getOrDefault("MESH_HOST_RUN_ONCE", "").isEmpty());
        SystemCommands commands = new SystemCommands();
        return new Means(
                places,
                placed,
                socketBeside(places.control()),
                new Files(places.root(), Probe.NONE, commands),
                new SystemTicker(),
                InstantSource.system(),
                new Systemd(environment, ProcessHandle.current().pid()),
                limits,
                settings.complaints(),
                places.wholeMachine()
                        ? Map.of()
                        : Map.of(Variable.ROOT.variable(), places.root().toString()),
                say,
                new SystemAccounts(commands).ownUid());
    }
}
