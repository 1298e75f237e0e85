package io.meshhost.converge;

import io.meshhost.apply.Options;
import io.meshhost.apply.Plan;
import io.meshhost.apply.Report;
import io.meshhost.apply.Run;
import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Reading;
import io.meshhost.launch.Versions;
import io.meshhost.machine.Files;
import io.meshhost.machine.Places;
import io.meshhost.record.HistoryEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** This machine with all that an apply needs, put together for one command or for the daemon. */
public interface Host extends Applier, AutoCloseable {
    /**
     * What the command line decides; it wins over the environment and host.env.
     *
     * @param root absolute
     * @param declaration absolute
     * @param trustFile apply a declaration that others than root may write
     * @param artifacts files for unpublished artifacts, absolute
     */
    record Choices(Optional<Path> root, Optional<Path> declaration, boolean trustFile, Map<String, Path> artifacts) {
        public static Choices none() {
            return new Choices(Optional.empty(), Optional.empty(), false, Map.of());
        }
    }

    /** Opens a host; failures are ExpectedFailures. */
    @FunctionalInterface
    interface Opener {
        Host open(Choices choices);
    }

    String node();

    Places places();

    /** Where this machine's own declaration is looked for. */
    DeclarationPlace declarationPlace();

    /**
     * Reads a declaration.
     *
     * @throws Unreadable when it is not there, may not be read, or is not to be trusted
     */
    Reading read(Path file);

    Plan plan(Declaration declaration, Options options);

    @Override
    Report apply(Declaration declaration, Options options, Run run);

    /** Newest first; only entries that speak of the id, where one is given. */
    List<HistoryEntry> history(Optional<String> id, int limit);

    Files files();

    int ownUid();

    /**
     * Holds the state directory: one daemon keeps a machine.
     *
     * @throws io.meshhost.machine.ExpectedFailure when another holds it, by its pid
     */
    AutoCloseable alone();

    /** What the daemon is made of; from then on, what it starts ends with its {@link Parts#atEnd}. */
    Parts parts(String version);

    /** The delivered versions of the host. */
    Versions versions();

    /** What is wrong with the settings, a sentence each; their defaults count. */
    List<String> complaints();

    /** The text of a small file of the state directory, as "halted"; empty where there is none. */
    Optional<String> stateFile(String name);

    @Override
    void close();
}
