package io.meshhost.converge;

import io.meshhost.declaration.Declaration;
import io.meshhost.declaration.Fault;
import io.meshhost.declaration.Reading;
import io.meshhost.machine.ExpectedFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The declaration as last read; read again only when its signature changed and it has come to rest. One thread.
 *
 * <p>A declaration that is being written counts as not changed yet: what was declared before is kept up.
 */
final class DeclarationSource {
    /** What is known of the declaration. */
    sealed interface Known {
        /** To be applied. */
        record Good(Path file, Declaration declaration, List<Fault> warnings) implements Known {}

        /** Not to be applied. */
        record Bad(String file, String sentence, List<Fault> faults) implements Known {}
    }

    private final DeclarationPlace place;
    private final Function<Path, Reading> reader;
    private Optional<Known> known = Optional.empty();
    private String signature = "";

    /**
     * @param reader may throw an {@link ExpectedFailure} when the file cannot be read or is not to be trusted
     */
    DeclarationSource(DeclarationPlace place, Function<Path, Reading> reader) {
        this.place = place;
        this.reader = reader;
    }

    /**
     * @param settled the signature at which the declaration last came to rest
     */
    Known look(String settled) {
        String now = place.signature();
        if (known.isPresent() && now.equals(signature)) {
            return known.get();
        }
        if (!now.equals(settled)) {
            return known.orElseGet(this::beingWritten);
        }
        Known read = read();
        if (!place.signature().equals(now)) {
            // Changed while it was read: what was read may be half of each.
            return known.orElseGet(this::beingWritten);
        }
        known = Optional.of(read);
        signature = now;
        return read;
    }

    private Known read() {
        return switch (place.find()) {
            case DeclarationPlace.Found.Nothing(String sentence) -> new Known.Bad(place.shown(), sentence, List.of());
            case DeclarationPlace.Found.File(Path file) -> read(file);
        };
    }

    private Known read(Path file) {
        try {
            Reading reading = reader.apply(file);
            return reading.declaration()
                    .<Known>map(declaration -> new Known.Good(file, declaration, reading.faults()))
                    .orElseGet(() -> new Known.Bad(
                            file.toString(), Sentences.refused(file.toString(), reading.faults()), reading.faults()));
        } catch (ExpectedFailure failure) {
            return new Known.Bad(file.toString(), failure.sentence(), List.of());
        }
    }

    private Known beingWritten() {
        String file = place.shown();
        return new Known.Bad(
                file,
                "cannot read " + file + " yet: it is being written; it is read when the writer is done",
                List.of());
    }
}
