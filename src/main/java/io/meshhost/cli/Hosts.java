package io.meshhost.cli;

import io.meshhost.converge.Host;
import io.meshhost.converge.SystemHost;
import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.Settings;
import io.meshhost.machine.Variable;
import java.util.EnumMap;
import java.util.Map;

/** Opens this machine as the command line, the environment and host.env say. */
final class Hosts {
    private Hosts() {}

    /**
     * @throws MachineFailure when a setting cannot be served; exit 1, nothing was touched
     */
    static Host open(Host.Choices choices) {
        Map<Variable, String> options = new EnumMap<>(Variable.class);
        choices.root().ifPresent(path -> options.put(Variable.ROOT, path.toString()));
        choices.declaration().ifPresent(path -> options.put(Variable.DECLARATION, path.toString()));
        return new SystemHost(Settings.real(options, choices.trustFile()), choices);
    }
}
