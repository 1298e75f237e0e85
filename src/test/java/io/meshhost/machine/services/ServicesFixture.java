package io.meshhost.machine.services;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import io.meshhost.machine.services.Services.UnitFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Installs processes of small shell scripts in a supervisor; what a test installed is gone after it. */
abstract class ServicesFixture {
    /** Bytes that some reader on the way might take for something else. */
    static final List<String> ODD = List.of(
            "",
            " ",
            "50% of %H",
            "%",
            "$HOME",
            "${HOME}",
            "$$",
            "$",
            "say \"hi\"",
            "it's",
            "C:\\dir\\",
            "\\",
            "a\nb\n",
            "tab\tbed",
            "\r\n",
            "ä€😀",
            "\u0001\u007f",
            ";",
            "# no comment",
            "a=b",
            "-x",
            "*",
            "~",
            "`id`",
            "\u0085\u2028");

    private final Set<String> installed = new LinkedHashSet<>();

    /** The supervisor under test, the same one during a test. */
    abstract Services services();

    /** A new directory for a bundle, which every user may read. */
    abstract Path bundle() throws IOException;

    private Path bundle;

    @BeforeEach
    void unpack() throws IOException {
        bundle = bundle();
        script("dump", """
                cat /proc/$$/environ >environ
                cat /proc/$$/cmdline >cmdline
                pwd >pwd.part
                mv pwd.part pwd
                echo dumped
                exec sleep 1000
                """);
        script("lines", """
                i=0
                while [ $i -lt 60 ]; do i=$((i + 1)); echo "line $i"; done
                exit $1
                """);
        script("count", "echo run >>runs\n");
        script("family", """
                sleep 1000 &
                echo $! >child.part
                mv child.part child
                wait
                """);
    }

    @AfterEach
    void takeAway() throws IOException {
        for (String name : installed) {
            remove(name);
        }
    }

    Path script(String name, String body) throws IOException {
        Path path = bundle.resolve(name);
        Files.writeString(path, "#!/bin/sh\n" + body);
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    Specs daemon(String name, String program, String... args) {
        String[] argv = new String[args.length + 1];
        argv[0] = bundle.resolve(program).toString();
        System.arraycopy(args, 0, argv, 1, args.length);
        return Specs.daemon(name, argv).in(bundle);
    }

    ProcessSpec install(Specs specs) throws IOException {
        installed.add(specs.spec().name());
        for (UnitFile file : services().files(specs.spec())) {
            Files.createDirectories(file.path().getParent());
            Files.deleteIfExists(file.path());
            Files.createFile(
                    file.path(),
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(file.sensitive() ? "rw-------" : "rw-r--r--")));
            Files.writeString(file.path(), file.content());
        }
        services().reload();
        return specs.spec();
    }

    void remove(String name) throws IOException {
        List<String> units = List.of(name + ".timer", name + ".service");
        units.forEach(services()::stop);
        units.forEach(services()::disable);
        for (Path file : services().filesOf(name)) {
            Files.deleteIfExists(file);
        }
        services().reload();
        units.forEach(services()::forget);
    }

    ServiceState state(String unit) {
        return Objects.requireNonNull(services().states(List.of(unit)).get(unit));
    }

    void awaitFile(String name) {
        await().atMost(10, SECONDS).until(() -> Files.exists(bundle.resolve(name)));
    }

    List<String> words(String name) throws IOException {
        String content = Files.readString(bundle.resolve(name));
        return Arrays.asList(content.substring(0, content.length() - 1).split("\0", -1));
    }

    Path file(String name) {
        return bundle.resolve(name);
    }

    static Map<String, String> with(Map<String, String> map, String key, String value) {
        Map<String, String> more = new TreeMap<>(map);
        more.put(key, value);
        return more;
    }

    /** Every odd text as a value. */
    static Map<String, String> odd() {
        Map<String, String> values = new TreeMap<>();
        ODD.forEach(text -> values.put("ODD_" + values.size(), text));
        return values;
    }

    static List<String> lines(Map<String, String> values) {
        return values.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .toList();
    }
}
