package io.meshhost.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which host runs (SPEC 1): the pinned one, else the newest by arrival that is executable and not rejected, else the one
 * placed by hand. Pure; it is asked at every turn, since standing aside for a successor is a clean exit and the next turn
 * must run what is on disk then.
 *
 * @param versions the directory {@code versions/}
 * @param placed the host placed by hand
 * @param limit failures in a row after which one goes back
 */
record Choosing(Path versions, Path placed, int limit) {
    /** The seed's texts; other programs and people look for them. */
    static final String STILL_FAILING = "rolled back and still failing";

    static final String ROLLBACK_FAILED = "rollback failed";
    static final String NO_HOST = "no host binary";

    /** A case that the seed did not have: that pin ends by unpin only, so there is no going back. */
    static final String PIN_FAILS = "the version that an operator pinned fails";

    static final String BINARY = "nox-mesh-host";

    Choice choose(Scene scene) {
        if (scene.halted().isPresent()) {
            return new Choice.Halt(scene.halted().get(), true);
        }
        Picked picked = pick(scene);
        Optional<Choice.Instead> instead = picked.host().flatMap(host -> instead(host, scene));
        return scene.count() >= limit && instead.isEmpty() ? goBack(scene) : run(scene, picked, instead);
    }

    private static Choice run(Scene scene, Picked picked, Optional<Choice.Instead> instead) {
        int count = instead.isPresent() ? 0 : scene.count();
        return picked.host()
                .<Choice>map(host -> new Choice.Run(
                        host, picked.why(), count, scene.attempted(), picked.pinEnded(), instead, notes(scene, picked)))
                .orElseGet(() -> new Choice.Halt(NO_HOST, false));
    }

    /**
     * Attempts belong to the bytes that were tried: a mend is not given up for what it mends. What another has failed as
     * often as the limit says is rejected all the same, so there is an end to it however many arrive.
     */
    private Optional<Choice.Instead> instead(Host next, Scene scene) {
        return scene.failing()
                .filter(ran -> scene.count() > 0 && !ran.is(next, scene))
                .map(ran -> new Choice.Instead(
                        ran.words(next),
                        scene.count(),
                        ran.host()
                                .version()
                                .filter(name ->
                                        scene.count() >= limit && !ran.host().equals(next))
                                .filter(_ -> ran.stands(scene))
                                .flatMap(scene::version)
                                .filter(version -> !version.rejected())
                                .map(Version::name)));
    }

    private static List<String> notes(Scene scene, Picked picked) {
        List<String> notes = new ArrayList<>(scene.notes());
        picked.note().ifPresent(notes::add);
        return notes;
    }

    /**
     * @param pinEnded a rollback's pin stands there and has ended
     * @param note what was passed over, when the operator would wonder
     */
    record Picked(Optional<Host> host, String why, boolean pinEnded, Optional<String> note) {}

    Picked pick(Scene scene) {
        boolean ended = scene.pin()
                .filter(pin -> !pin.byOperator() && ended(pin, scene))
                .isPresent();
        Optional<String> ignored = scene.pin().flatMap(pin -> ignored(pin, ended, scene));
        if (scene.pin().isPresent() && ignored.isEmpty()) {
            Pin pin = scene.pin().get();
            return new Picked(
                    Optional.of(delivered(pin.version())),
                    pin.byOperator() ? "it is pinned by an operator" : "it is pinned by a rollback",
                    false,
                    Optional.empty());
        }
        List<Version> sound =
                scene.versions().stream().filter(version -> !version.rejected()).toList();
        if (sound.isEmpty()) {
            return new Picked(
                    scene.placed() ? Optional.of(new Host.Placed(placed)) : Optional.empty(),
                    scene.versions().isEmpty() ? "no version is delivered" : "every delivered version is rejected",
                    ended,
                    ignored);
        }
        Version newest = sound.getFirst();
        return new Picked(
                Optional.of(delivered(newest.name())),
                newest.arrival().isPresent() ? "it arrived last" : "its directory is the newest",
                ended,
                ignored.or(() -> tie(sound)));
    }

    private static Optional<String> tie(List<Version> sound) {
        return sound.size() > 1 && sound.getFirst().tiesWith(sound.get(1))
                ? Optional.of("versions " + sound.getFirst().name() + " and "
                        + sound.get(1).name() + " have the same time and no recorded arrival; the first by name runs")
                : Optional.empty();
    }

    /** Why the pin does not count; empty: it does. */
    private static Optional<String> ignored(Pin pin, boolean ended, Scene scene) {
        Optional<Version> version = scene.version(pin.version());
        if (version.isEmpty()) {
            return Optional.of("the pinned version '" + pin.version() + "' is not delivered; ignoring the pin");
        }
        if (version.get().rejected()) {
            return Optional.of("the pinned version '" + pin.version() + "' is rejected; ignoring the pin");
        }
        return ended
                ? Optional.of("other bytes than the rejected ones have arrived; the rollback's pin on '" + pin.version()
                        + "' has ended")
                : Optional.empty();
    }

    /** A rollback's own pin ends when something arrived after all that is rejected, whatever of that came again. */
    private static boolean ended(Pin pin, Scene scene) {
        return scene.versions().stream()
                .filter(version -> !version.rejected())
                .findFirst()
                .filter(newest -> !newest.name().equals(pin.version()))
                .filter(newest -> !scene.rejected().isEmpty()
                        && scene.rejected().stream().allMatch(name -> after(newest, name, scene)))
                .isPresent();
    }

    private static boolean after(Version newest, String rejected, Scene scene) {
        if (newest.name().equals(rejected)) {
            // The same name, and its bytes are not those that were rejected.
            return true;
        }
        return scene.version(rejected)
                .map(version -> Version.NEWEST_FIRST.compare(newest, version) < 0)
                // Gone: by its number; what never had one came before all that have.
                .orElseGet(() -> newest.arrival().orElse(-1) > scene.arrivals().getOrDefault(rejected, -1L));
    }

    private Choice goBack(Scene scene) {
        if (scene.attempted()) {
            return new Choice.Halt(STILL_FAILING, false);
        }
        if (scene.script()) {
            return new Choice.Script(scene.count());
        }
        Optional<Host> failing =
                scene.failing().map(Ran::host).or(() -> pick(scene).host());
        if (failing.isEmpty()) {
            return new Choice.Halt(NO_HOST, false);
        }
        return switch (failing.get()) {
            case Host.Placed _ -> new Choice.Halt(ROLLBACK_FAILED, false);
            // By its name or another: what would run is what failed.
            case Host.Delivered _ when held(scene) -> new Choice.Halt(PIN_FAILS, false);
            case Host.Delivered bad ->
                successor(bad.name(), scene)
                        .<Choice>map(to -> new Choice.GoBack(Optional.of(bad.name()), to, scene.count()))
                        .orElseGet(() -> new Choice.Halt(ROLLBACK_FAILED, false));
        };
    }

    /** Whether an operator's pin decides; one on what is gone does not. */
    private static boolean held(Scene scene) {
        return scene.pin()
                .filter(Pin::byOperator)
                .flatMap(pin -> scene.version(pin.version()))
                .filter(version -> !version.rejected())
                .isPresent();
    }

    /** What runs when the named version is given up; empty: nothing is left. */
    Optional<Host> successor(String bad, Scene scene) {
        List<String> others = scene.versions().stream()
                .filter(version -> !version.rejected())
                .map(Version::name)
                // The same bytes under another name would fail in the same way.
                .filter(name -> !name.equals(bad)
                        && !scene.digests().apply(name).equals(scene.digests().apply(bad)))
                .toList();
        return scene.knownGood().stream()
                .filter(others::contains)
                .findFirst()
                .or(() -> others.stream().findFirst())
                .<Host>map(this::delivered)
                .or(() -> scene.placed() ? Optional.of(new Host.Placed(placed)) : Optional.empty());
    }

    /** What an earlier supervisor ran; one placed by hand fails for itself, and no delivered version is given up for it. */
    Optional<Host> ran(SupervisorStatus.Last before) {
        return before.version()
                .map(this::delivered)
                .or(() -> before.program().filter(placed.toString()::equals).map(_ -> new Host.Placed(placed)));
    }

    Host delivered(String version) {
        return new Host.Delivered(version, versions.resolve(version).resolve(BINARY));
    }
}
