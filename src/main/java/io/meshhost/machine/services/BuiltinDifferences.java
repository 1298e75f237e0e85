package io.meshhost.machine.services;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** What the built-in supervisor read back otherwise than it was declared, field by field. */
final class BuiltinDifferences {
    private BuiltinDifferences() {}

    static List<String> between(ProcessSpec wanted, ProcessSpec stored) {
        List<String> out = new ArrayList<>();
        Map<String, Function<ProcessSpec, Object>> fields = Map.of(
                "run", ProcessSpec::argv,
                "directory", ProcessSpec::directory,
                "env", ProcessSpec::environment,
                "env_file", ProcessSpec::environmentFiles,
                "the file of secrets", ProcessSpec::secretFile,
                "user", ProcessSpec::user,
                "schedule", ProcessSpec::schedule,
                "timeout", ProcessSpec::timeout,
                "limits", ProcessSpec::limits,
                "sandbox", ProcessSpec::sandbox);
        fields.forEach((field, of) -> {
            if (!Objects.equals(of.apply(wanted), of.apply(stored))) {
                // Without the values: those of env are nobody's to read in a report.
                out.add(field + " was not understood as declared");
            }
        });
        return out;
    }
}
