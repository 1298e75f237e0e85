package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import io.meshhost.machine.services.ServiceState.Active;
import io.meshhost.machine.services.ServiceState.Enabled;
import io.meshhost.machine.services.ServiceState.Load;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads what {@code systemctl show} prints: a block of KEY=VALUE lines for each unit, in the order asked. */
final class SystemdShow {
    static final String PROPERTIES =
            "Id,Names,LoadState,ActiveState,SubState,UnitFileState,Result,Type,RemainAfterExit,"
                    + "MainPID,NRestarts,FragmentPath";

    private SystemdShow() {}

    /**
     * @param output of {@code systemctl show}
     * @param files of {@code systemctl list-unit-files}, whose state counts: {@code show} repeats what systemd
     *     found when it loaded the unit, until the next reload
     */
    static Map<String, ServiceState> states(List<String> units, String output, String files) {
        List<Map<String, String>> blocks = blocks(output);
        if (blocks.size() != units.size()) {
            throw new MachineFailure("cannot ask systemd: it told of " + blocks.size() + " units when asked for "
                    + units.size() + "; try again");
        }
        Map<String, String> enabled = enabled(files.lines());
        Map<String, ServiceState> states = new LinkedHashMap<>();
        for (int i = 0; i < units.size(); i++) {
            String unit = units.get(i);
            Map<String, String> block = blocks.get(i);
            String word = enabled.getOrDefault(unit, block.getOrDefault("UnitFileState", ""));
            states.put(unit, state(unit, block, enabled(word)));
        }
        return states;
    }

    /** Lines of a name, a state and more, in columns. */
    private static Map<String, String> enabled(Stream<String> lines) {
        Map<String, String> states = new HashMap<>();
        lines.map(line -> line.strip().split(" +", 3))
                .filter(columns -> columns.length > 1)
                .forEach(columns -> states.put(columns[0], columns[1]));
        return states;
    }

    static List<Map<String, String>> blocks(String output) {
        return Stream.of(output.strip().split("\n\n+", -1))
                .filter(block -> !block.isBlank())
                .map(SystemdShow::properties)
                .toList();
    }

    static Map<String, String> properties(String block) {
        Map<String, String> properties = new HashMap<>();
        block.lines()
                .filter(line -> line.indexOf('=') > 0)
                .forEach(line ->
                        properties.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1)));
        return properties;
    }

    private static ServiceState state(String unit, Map<String, String> properties, Enabled enabled) {
        return new ServiceState(
                unit,
                load(properties.getOrDefault("LoadState", "")),
                active(properties.getOrDefault("ActiveState", "")),
                properties.getOrDefault("SubState", ""),
                enabled,
                properties.getOrDefault("Result", "success"),
                properties.getOrDefault("Type", ""),
                properties.getOrDefault("RemainAfterExit", "no").equals("yes"),
                number(properties, "MainPID"),
                number(properties, "NRestarts"),
                Optional.of(properties.getOrDefault("FragmentPath", ""))
                        .filter(path -> !path.isEmpty())
                        .map(Path::of));
    }

    private static Load load(String word) {
        return switch (word) {
            case "loaded", "merged" -> Load.LOADED;
            case "not-found", "stub" -> Load.NOT_FOUND;
            case "masked" -> Load.MASKED;
            case "bad-setting" -> Load.BAD_SETTING;
            default -> Load.ERROR;
        };
    }

    private static Active active(String word) {
        return switch (word) {
            case "active" -> Active.ACTIVE;
            case "reloading", "refreshing" -> Active.RELOADING;
            case "inactive", "maintenance" -> Active.INACTIVE;
            case "failed" -> Active.FAILED;
            case "activating" -> Active.ACTIVATING;
            case "deactivating" -> Active.DEACTIVATING;
            default ->
                throw new MachineFailure("cannot ask systemd: it calls a unit \"" + word
                        + "\", which this version does not know; update mesh-host");
        };
    }

    /** Each answer of systemctl(1) is-enabled by name: enabled-runtime is gone after a boot and not "enabled". */
    private static Enabled enabled(String word) {
        return switch (word) {
            case "enabled" -> Enabled.ENABLED;
            case "enabled-runtime" -> Enabled.ENABLED_RUNTIME;
            case "linked" -> Enabled.LINKED;
            case "linked-runtime" -> Enabled.LINKED_RUNTIME;
            case "alias" -> Enabled.ALIAS;
            case "masked" -> Enabled.MASKED;
            case "masked-runtime" -> Enabled.MASKED_RUNTIME;
            case "static" -> Enabled.STATIC;
            case "indirect" -> Enabled.INDIRECT;
            case "disabled" -> Enabled.DISABLED;
            case "generated" -> Enabled.GENERATED;
            case "transient" -> Enabled.TRANSIENT;
            case "bad" -> Enabled.BAD;
            default -> Enabled.NONE;
        };
    }

    private static int number(Map<String, String> properties, String name) {
        String digits = properties.getOrDefault(name, "");
        return digits.matches("[0-9]{1,9}") ? Integer.parseInt(digits) : 0;
    }
}
