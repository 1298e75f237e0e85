package io.meshhost.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** Scenes for tests: an empty machine with a host placed by hand, and what is said of it in words. */
final class Scenes {
    static final Choosing CHOOSING = new Choosing(Path.of("/v"), Path.of("/placed"), 3);

    private final List<Version> versions = new ArrayList<>();
    private final Map<String, Long> arrivals = new HashMap<>();
    private final Map<String, String> digests = new HashMap<>();
    private final List<String> rejected = new ArrayList<>();
    private List<String> knownGood = List.of();
    private Optional<String> halted = Optional.empty();
    private Optional<Pin> pin = Optional.empty();
    private Function<Map<String, Long>, Optional<Ran>> failing = numbers -> Optional.empty();
    private int count;
    private boolean attempted;
    private boolean placed = true;
    private boolean script;

    static Scenes machine() {
        return new Scenes();
    }

    /** It arrived with that number; delivered later is newer. */
    Scenes arrived(String name, long number) {
        arrivals.put(name, number);
        versions.add(new Version(name, OptionalLong.of(number), 0, false));
        return this;
    }

    /** Nobody recorded its arrival. */
    Scenes found(String name, long modified) {
        versions.add(new Version(name, OptionalLong.empty(), modified, false));
        return this;
    }

    /** The bytes that stand under the name are rejected. */
    Scenes rejected(String name) {
        rejected.add(name);
        versions.replaceAll(version -> version.name().equals(name)
                ? new Version(name, version.arrival(), version.modifiedNanos(), true)
                : version);
        return this;
    }

    /** Bytes were rejected under that name; others stand there now, or none. */
    Scenes onceRejected(String name) {
        rejected.add(name);
        return this;
    }

    /** It arrived once and is gone. */
    Scenes gone(String name, long number) {
        arrivals.put(name, number);
        return this;
    }

    /** The same bytes under another name, rejected under that one. */
    Scenes rejectedByBytes(String name) {
        Scenes scene = rejected(name);
        rejected.remove(name);
        return scene;
    }

    Scenes sameBytes(String one, String other) {
        digests.put(one, "sha256:same");
        digests.put(other, "sha256:same");
        return this;
    }

    Scenes pinned(String name) {
        pin = Optional.of(new Pin(name, false));
        return this;
    }

    Scenes pinnedByOperator(String name) {
        pin = Optional.of(new Pin(name, true));
        return this;
    }

    Scenes knownGood(String... names) {
        knownGood = List.of(names);
        return this;
    }

    Scenes failed(int times) {
        count = times;
        return this;
    }

    /** What ran last; it has not arrived anew since. */
    Scenes failing(Host host) {
        failing = numbers -> Optional.of(Ran.now(host, numbers));
        return this;
    }

    /** As {@link #failing}; what ran under that name then arrived with that number, and was known by that digest. */
    Scenes failing(String version, long arrival, Optional<String> digest) {
        failing = numbers -> Optional.of(new Ran(delivered(version), OptionalLong.of(arrival), digest));
        return this;
    }

    Scenes attempted() {
        attempted = true;
        return this;
    }

    Scenes withoutPlaced() {
        placed = false;
        return this;
    }

    Scenes withScript() {
        script = true;
        return this;
    }

    Scenes halted(String reason) {
        halted = Optional.of(reason);
        return this;
    }

    Scene scene() {
        return new Scene(
                halted,
                count,
                attempted,
                pin,
                versions.stream().sorted(Version.NEWEST_FIRST).toList(),
                arrivals,
                rejected,
                knownGood,
                placed,
                script,
                failing.apply(arrivals),
                name -> digests.getOrDefault(name, "sha256:" + name),
                List.of());
    }

    /** The decision in few words. */
    String choice() {
        return words(CHOOSING.choose(scene()));
    }

    static String words(Choice choice) {
        return switch (choice) {
            case Choice.Run run ->
                "run " + run.host().words() + ", " + run.why() + (run.pinEnded() ? ", the pin has ended" : "")
                        + run.instead()
                                .map(instead -> ", from 0 instead of " + instead.failed()
                                        + instead.rejects()
                                                .map(name -> ", reject " + name)
                                                .orElse(""))
                                .orElse("");
            case Choice.GoBack back ->
                "go back to " + back.to().words()
                        + back.rejects().map(name -> ", reject " + name).orElse("")
                        + back.pin().map(pin -> ", pin " + pin.version()).orElse(", no pin");
            case Choice.Script _ -> "run the rollback program";
            case Choice.Halt halt -> "halt: " + halt.reason() + (halt.known() ? " (known)" : "");
        };
    }

    static Host delivered(String name) {
        return CHOOSING.delivered(name);
    }

    static Host placedByHand() {
        return new Host.Placed(Path.of("/placed"));
    }
}
