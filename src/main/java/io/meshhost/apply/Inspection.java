package io.meshhost.apply;

import io.meshhost.bundle.Bundles;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Resource;
import io.meshhost.machine.Machine;
import io.meshhost.record.RecordStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at everything that a plan needs to know, touching nothing: unit states in one batch, the rest by a
 * few workers side by side.
 */
final class Inspection {
    /** Large enough that handing over costs nothing beside 256 stats, small enough to keep all workers busy. */
    private static final int CHUNK = 256;

    private static final int WORKERS = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 8);

    private final Machine machine;
    private final Bundles bundles;
    private final RecordStore record;
    private final Map<String, Kind<?, ?>> kinds;

    Inspection(Machine machine, Bundles bundles, RecordStore record, Map<String, Kind<?, ?>> kinds) {
        this.machine = machine;
        this.bundles = bundles;
        this.record = record;
        this.kinds = kinds;
    }

    /**
     * @param subjects by declared id
     * @param seen by declared id, as things stand
     * @param cleared by declared id, as things will stand once what is in the way is gone
     * @param leaving by row id, displaced rows included
     */
    record Seen(
            Sight sight,
            Claims claims,
            Map<String, Subject<?, ?>> subjects,
            Map<String, Subject.Seen> seen,
            Map<String, Subject.Seen> cleared,
            Map<String, Leaving<?, ?>> leavers,
            Map<String, Leaving.Seen> leaving) {}

    /**
     * @param adopting whether the record is being rebuilt
     */
    Seen of(Declaration declaration, Claims claims, boolean adopting) {
        Map<String, Subject<?, ?>> subjects = new HashMap<>();
        for (Resource resource : declaration.resources().toList()) {
            subjects.put(resource.id(), Subject.of(kinds, resource, claims.row(resource)));
        }
        Map<String, Leaving<?, ?>> leavers = new HashMap<>();
        Stream.concat(
                        claims.leaving().stream(),
                        claims.displaced().values().stream().flatMap(List::stream))
                .forEach(row -> leavers.put(row.id(), Leaving.of(kinds, row)));
        Sight sight = sight(subjects, leavers, adopting);
        Seen all = new Seen(sight, claims, subjects, new HashMap<>(), new HashMap<>(), leavers, new HashMap<>());
        List<Look<?>> looks = new ArrayList<>();
        subjects.forEach((id, subject) -> {
            looks.add(new Look<>(id, () -> subject.observe(sight), all.seen()));
            if (claims.displaced().containsKey(id)) {
                looks.add(new Look<>(id, () -> subject.observeCleared(sight), all.cleared()));
            }
        });
        leavers.forEach((id, leaver) -> looks.add(new Look<>(id, () -> leaver.observe(sight), all.leaving())));
        look(looks);
        return all;
    }

    /** The doors of an inspection with the states of all units that anyone asks for. */
    private Sight sight(Map<String, Subject<?, ?>> subjects, Map<String, Leaving<?, ?>> leavers, boolean adopting) {
        Set<String> units = new HashSet<>();
        subjects.values().forEach(subject -> units.addAll(subject.units()));
        leavers.values().forEach(leaver -> units.addAll(leaver.units()));
        return sight(units, adopting);
    }

    /** The same for a closer look at a few. */
    Sight sight(Set<String> units) {
        return sight(units, false);
    }

    private Sight sight(Set<String> units, boolean adopting) {
        return new Sight(
                machine.files(),
                machine.accounts(),
                machine.commands(),
                machine.services(),
                bundles,
                record,
                machine.places(),
                units.isEmpty() ? Map.of() : machine.services().states(units),
                adopting);
    }

    /** Something to look at, and where to put what was seen. */
    private record Look<T>(String id, Supplier<T> how, Map<String, T> into) {
        Runnable seen() {
            T seen = how.get();
            return () -> into.put(id, seen);
        }
    }

    /** A few looks are not worth a thread. */
    private static void look(List<Look<?>> looks) {
        if (looks.size() <= CHUNK / 8) {
            looks.forEach(look -> look.seen().run());
            return;
        }
        try (ExecutorService workers = Executors.newFixedThreadPool(
                WORKERS, Thread.ofPlatform().daemon().name("inspect-", 0).factory())) {
            List<Future<List<Runnable>>> chunks = new ArrayList<>();
            for (int i = 0; i < looks.size(); i += CHUNK) {
                List<Look<?>> chunk = looks.subList(i, Math.min(i + CHUNK, looks.size()));
                chunks.add(workers.submit(
                        () -> chunk.stream().<Runnable>map(Look::seen).toList()));
            }
            for (Future<List<Runnable>> chunk : chunks) {
                chunk.get().forEach(Runnable::run);
            }
        } catch (ExecutionException failure) {
            throw unchecked(failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ApplyFailure(
                    ApplyFailure.Reason.FAILED, "cannot inspect the machine: interrupted; apply again", interrupted);
        }
    }

    private static RuntimeException unchecked(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof RuntimeException runtime) {
            throw runtime;
        }
        return new IllegalStateException(cause);
    }
}
