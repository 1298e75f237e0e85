package io.meshhost.apply;

import io.meshhost.apply.ProcessSight.Verdict;
import io.meshhost.bundle.Entry;
import io.meshhost.declaration.Resource.ProcessResource;
import io.meshhost.machine.Stat;
import io.meshhost.record.Applied;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks at what stands of a process; changes nothing and downloads nothing. */
final class ProcessLook {
    /** A unit file is small; one that is larger was not written by us and differs anyway. */
    private static final long UNIT_LIMIT = 1 << 20;

    private static final int NAMED = 3;

    private final Sight sight;
    private final ProcessDoors doors;
    private final Clock clock;

    /** @param clock in the machine's zone, for saying which hour will be lost next */
    ProcessLook(Sight sight, Clock clock) {
        this.sight = sight;
        this.clock = clock;
        this.doors = ProcessDoors.of(sight);
    }

    ProcessSight declared(ProcessResource resource, Optional<Applied> recorded) {
        Optional<ProcessNotes> notes = recorded.flatMap(ProcessNotes::read);
        ProcessSight seen = look(resource.name(), notes, new ProcessVerdict(doors, clock).of(resource, notes));
        boolean lost = sight.adopting() && recorded.isEmpty();
        return lost && seen.verdict() instanceof Verdict.Wanted(ProcessWanted wanted) && stands(wanted, seen)
                ? seen.adopting()
                : seen;
    }

    /**
     * Type, mode, size and where links point are compared, not the bytes: the listing has none. Where it would have to
     * be downloaded first, or the supervisor goes by another unit than the one on disk, nothing is taken for what it may
     * not be.
     */
    private boolean stands(ProcessWanted wanted, ProcessSight seen) {
        Path tree = new ProcessHome(sight.places(), wanted.spec().name()).tree();
        return seen.tree()
                && !seen.leftovers()
                && wanted.entries()
                        .filter(entries ->
                                entries.stream().allMatch(entry -> ArchiveSeen.stands(tree, entry, sight.files())))
                        .isPresent()
                && (wanted.form() == ProcessForm.STEP
                        || sight.services().misunderstood(wanted.spec()).isEmpty());
    }

    ProcessSight undeclared(Applied recorded) {
        return look(recorded.target(), ProcessNotes.read(recorded), new Verdict.Nothing());
    }

    private ProcessSight look(String name, Optional<ProcessNotes> notes, Verdict verdict) {
        ProcessHome home = new ProcessHome(sight.places(), name);
        if (!home.safe()) {
            return unseen(home, notes, verdict);
        }
        boolean tree = directory(home.tree());
        return new ProcessSight(
                verdict,
                notes,
                tree,
                tree ? missing(home, notes) : List.of(),
                there(home.fresh()),
                there(home.aside()),
                there(home.secret()),
                there(home.secretAside()),
                texts(name),
                sight.state(home.service()),
                sight.state(home.timer()),
                notes.flatMap(ProcessNotes::failed).filter(failed -> failed.rests(clock.instant())),
                sight.services().foreign(name),
                false);
    }

    /** Not even looked at: the name could lead anywhere. */
    private ProcessSight unseen(ProcessHome home, Optional<ProcessNotes> notes, Verdict verdict) {
        return new ProcessSight(
                verdict,
                notes,
                false,
                List.of(),
                false,
                false,
                false,
                false,
                Map.of(),
                sight.state(home.service()),
                sight.state(home.timer()),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    private boolean there(Path path) {
        return sight.files().stat(path).isPresent();
    }

    private boolean directory(Path path) {
        return sight.files().stat(path).filter(Stat::isDirectory).isPresent();
    }

    private List<Path> missing(ProcessHome home, Optional<ProcessNotes> notes) {
        List<Path> missing = new ArrayList<>();
        for (Entry entry : notes.map(ProcessNotes::entries).orElse(List.of())) {
            if (missing.size() == NAMED) {
                break;
            }
            if (!there(home.tree().resolve(entry.path()))) {
                missing.add(entry.path());
            }
        }
        return List.copyOf(missing);
    }

    private Map<Path, String> texts(String name) {
        Map<Path, String> texts = new LinkedHashMap<>();
        for (Path path : sight.services().filesOf(name)) {
            sight.files().stat(path).ifPresent(stat -> texts.put(path, text(path, stat)));
        }
        ProcessHome home = new ProcessHome(sight.places(), name);
        if (there(home.secret())) {
            sight.files().stat(home.secret()).ifPresent(stat -> texts.put(home.secret(), text(home.secret(), stat)));
        }
        return texts;
    }

    private String text(Path path, Stat stat) {
        boolean readable = stat.isFile() && stat.size() <= UNIT_LIMIT;
        return readable ? new String(sight.files().read(path, UNIT_LIMIT), StandardCharsets.UTF_8) : "";
    }
}
