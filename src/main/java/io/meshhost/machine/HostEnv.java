package io.meshhost.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * host.env: lines of {@code KEY=VALUE}, empty ones, and comments that begin with {@code #}. No shell reads it: nothing is
 * expanded, and quotes around a whole value are taken off.
 *
 * @param name of the file, for complaints
 */
record HostEnv(String name, Map<String, String> values, List<String> complaints) {
    static HostEnv parse(String name, String text) {
        Map<String, String> values = new HashMap<>();
        List<String> complaints = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().map(String::strip).toList()) {
            number++;
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            int equals = line.indexOf('=');
            String key = equals < 0 ? line : line.substring(0, equals).strip();
            if (equals < 0 || !key.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                complaints.add(name + ":" + number + ": is not KEY=VALUE; the line is ignored");
                continue;
            }
            if (key.startsWith("MESH_HOST_") && !known(key)) {
                complaints.add(name + ":" + number + ": " + key + " is not a setting of this program");
            }
            values.put(key, unquoted(line.substring(equals + 1).strip()));
        }
        return new HostEnv(name, Map.copyOf(values), List.copyOf(complaints));
    }

    private static boolean known(String key) {
        return Arrays.stream(Variable.values())
                .anyMatch(variable -> variable.variable().equals(key));
    }

    private static String unquoted(String value) {
        boolean twice = value.length() > 1 && value.charAt(0) == value.charAt(value.length() - 1);
        boolean quoted = twice && (value.startsWith("\"") || value.startsWith("'"));
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}
