package io.meshhost.launch.differential;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The folder of one run of a scenario: the machine that a launcher finds, and what is left of it. */
record Stage(Path folder) {
    /** Much longer than a launcher needs that does not sleep, and much less than the back-off of the scenario for this. */
    private static final Duration SLOW = Duration.ofMillis(2500);

    /** NAME, and after {@code @} its directory's time, and after {@code >} what it does. */
    private record Entry(String name, long time, String rest) {
        static Entry of(String value) {
            String[] halves = (value + " ").split(" > ", 2);
            String[] words = halves[0].split(" @", 2);
            return new Entry(
                    words[0].stripTrailing().translateEscapes(),
                    words.length == 2 ? Long.parseLong(words[1].strip()) : 100,
                    halves.length == 2 ? halves[1].stripTrailing() : "");
        }
    }

    static Stage of(Scenario scenario, Path folder) throws IOException {
        Stage stage = new Stage(folder);
        for (String name : List.of("log", "state", "control", "libexec/versions", "staged", "bin")) {
            Files.createDirectories(folder.resolve(name));
        }
        Files.setPosixFilePermissions(folder.resolve("control"), PosixFilePermissions.fromString("rwx------"));
        for (Scenario.Line line : scenario.lines()) {
            stage.prepare(line.key(), line.value());
        }
        return stage;
    }

    private void prepare(String key, String value) throws IOException {
        Path versions = folder.resolve("libexec/versions");
        Entry entry = Entry.of(value);
        switch (key) {
            case "version" -> host(versions, entry);
            case "staged" -> host(folder.resolve("staged"), entry);
            case "beside" -> host(folder.resolve("libexec"), entry);
            case "raw" -> raw(versions, entry, true);
            case "plain" -> raw(versions, entry, false);
            case "folder" -> {
                Files.createDirectories(versions.resolve(entry.name()).resolve("nox-mesh-host"));
                touch(versions.resolve(entry.name()), entry.time());
            }
            case "empty" -> {
                Files.createDirectories(versions.resolve(entry.name()));
                touch(versions.resolve(entry.name()), entry.time());
            }
            case "placed" -> executable(folder.resolve("bin/nox-mesh-host"), program("placed", value));
            case "rollback program" -> executable(folder.resolve("libexec/rollback"), program("rollback", value));
            case "file" -> Files.writeString(state(entry.name()), entry.rest().translateEscapes());
            case "directory" -> Files.createDirectory(state(value));
            default -> {
                // What is expected, and why.
            }
        }
    }

    private Path state(String name) {
        return folder.resolve("state").resolve(name);
    }

    private void host(Path parent, Entry entry) throws IOException {
        Path tree = parent.resolve(entry.name());
        executable(tree.resolve("nox-mesh-host"), program(entry.name(), entry.rest()));
        touch(tree, entry.time());
    }

    private static void raw(Path parent, Entry entry, boolean executable) throws IOException {
        Path tree = Files.createDirectories(parent.resolve(entry.name()));
        Path file = tree.resolve("nox-mesh-host");
        Files.writeString(file, entry.rest().translateEscapes());
        if (executable) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        touch(tree, entry.time());
    }

    private String program(String name, String deeds) {
        return new FakeHost(name, folder).program(List.of(deeds.split(" \\| ", -1)));
    }

    private static void executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void touch(Path tree, long time) throws IOException {
        Files.setLastModifiedTime(tree, FileTime.from(Instant.ofEpochSecond(time)));
    }

    /** The settings that both launchers know; a scenario's own come on top. */
    Map<String, String> environment(Scenario scenario) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "MESH_HOST_STATE_DIR", folder.resolve("state").toString(),
                "MESH_HOST_LIBEXEC", folder.resolve("libexec").toString(),
                "MESH_HOST_BIN", folder.resolve("bin/nox-mesh-host").toString(),
                "MESH_HOST_CONTROL", folder.resolve("control/s").toString(),
                "MESH_HOST_BACKOFF", "0.02"));
        scenario.all("env").forEach(line -> {
            String[] pair = line.split("=", 2);
            environment.put(pair[0], pair[1]);
        });
        return environment;
    }

    /** A host asks for the launcher to be told to stop, by that file. */
    Path stop() {
        return folder.resolve("log/stop");
    }

    /**
     * @param took from the word to stop to the end
     */
    void launcherEnded(Duration took) throws IOException {
        Files.deleteIfExists(stop());
        boolean slow = took.compareTo(SLOW) > 0;
        Files.writeString(
                folder.resolve("log/ran"),
                slow ? "(slow end)\n" : "(end)\n",
                java.nio.file.StandardOpenOption.CREATE,
                java.nio.file.StandardOpenOption.APPEND);
    }

    /** Whatever fake host still runs, by the pids that they noted themselves. */
    List<ProcessHandle> left() throws IOException {
        List<ProcessHandle> alive = new ArrayList<>();
        for (String pid : lines("pids")) {
            ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive).ifPresent(alive::add);
        }
        return alive;
    }

    private List<String> lines(String name) throws IOException {
        Path file = folder.resolve("log").resolve(name);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    Outcome outcome(List<Integer> statuses) throws IOException {
        List<String> values = new ArrayList<>();
        String ran = String.join(" ", lines("ran")).strip();
        // Said only where something went on after the launcher.
        while (ran.endsWith("(end)")) {
            ran = ran.substring(0, ran.length() - "(end)".length()).strip();
        }
        values.add(ran.isEmpty() ? Outcome.NONE : ran);
        values.add(String.join(" ", statuses.stream().map(String::valueOf).toList()));
        for (String name : Outcome.FILES) {
            values.add(name.equals("rollback-attempted") ? there(state(name)) : content(state(name)));
        }
        return new Outcome(values);
    }

    /** It exists or not; what it holds is nobody's business. */
    private static String there(Path file) {
        return Files.exists(file) ? "there" : Outcome.NONE;
    }

    private static String content(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Outcome.NONE;
        }
        if (Files.isDirectory(file)) {
            return "(directory)";
        }
        return "\"" + Files.readString(file).replace("\n", "\\n").replace("\t", "\\t") + "\"";
    }
}
