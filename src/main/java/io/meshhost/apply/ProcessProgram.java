package io.meshhost.apply;

import io.meshhost.bundle.Entry;
import io.meshhost.machine.Commands;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Finds what the first word of {@code run} means (SPEC 2, Process): absolute is the machine's; with a slash, or
 * a bare name in the bundle's root, the bundle's; any other bare name is looked for in the system's directories.
 *
 * @param entries of the bundle; empty while they are not known, then the answer is the likeliest one and is asked
 *     again once the bundle is here
 */
record ProcessProgram(Path tree, Optional<List<Entry>> entries, Commands commands) {

    /** Where the program is, or the sentence why there is none. */
    sealed interface Answer {
        record At(Path path) implements Answer {}

        record None(String sentence) implements Answer {}
    }

    Answer find(String word) {
        if (word.startsWith("/")) {
            return new Answer.At(Path.of(word));
        }
        Path inside = Path.of(word).normalize();
        if (word.isEmpty() || inside.startsWith("..") || inside.toString().isEmpty()) {
            return new Answer.None("cannot run " + word
                    + ": it leads out of the bundle; name a file of the bundle, or an absolute path of the machine");
        }
        return word.contains("/") ? inBundle(word, inside) : bare(word, inside);
    }

    private Answer inBundle(String word, Path inside) {
        if (entries.isEmpty()) {
            return new Answer.At(tree.resolve(inside));
        }
        Optional<Entry> entry = entry(inside);
        if (entry.isPresent()) {
            return judged(word, entry.get());
        }
        // A folder on the way may be a link of the bundle; what it leads to is decided when it is started.
        if (throughLink(inside)) {
            return new Answer.At(tree.resolve(inside));
        }
        return new Answer.None(
                "cannot run " + word + ": the bundle has no such file; correct run, or put the file into the bundle");
    }

    private Answer bare(String word, Path inside) {
        Optional<Entry> entry = entry(inside).filter(found -> found.type() != Entry.Type.DIRECTORY);
        if (entry.isPresent()) {
            return judged(word, entry.get());
        }
        Optional<Path> machine = commands.find(word);
        if (machine.isPresent()) {
            return new Answer.At(machine.get());
        }
        if (entries.isEmpty()) {
            return new Answer.At(tree.resolve(inside));
        }
        return new Answer.None("cannot run " + word + ": it is neither in the bundle's root nor in the machine's"
                + " system directories; install it, or give its absolute path");
    }

    /** A file without the x bit would be refused by exec(2) at each start; better said before the first one. */
    private Answer judged(String word, Entry entry) {
        if (entry.type() == Entry.Type.DIRECTORY) {
            return new Answer.None("cannot run " + word + ": it is a directory in the bundle; name a program in it");
        }
        if (entry.type() == Entry.Type.FILE && (entry.mode() & 0111) == 0) {
            return new Answer.None("cannot run " + word
                    + ": it is not executable in the bundle; set its x bit (chmod +x) and publish the bundle again");
        }
        return new Answer.At(tree.resolve(entry.path()));
    }

    private Optional<Entry> entry(Path inside) {
        return entries.stream()
                .flatMap(List::stream)
                .filter(entry -> entry.path().equals(inside))
                .findFirst();
    }

    private boolean throughLink(Path inside) {
        for (Path on = inside.getParent(); on != null; on = on.getParent()) {
            if (entry(on).filter(found -> found.type() == Entry.Type.LINK).isPresent()) {
                return true;
            }
        }
        return false;
    }
}
