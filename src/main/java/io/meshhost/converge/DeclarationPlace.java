package io.meshhost.converge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where the host's declaration is looked for, and which of the places holds it now. Reads attributes only.
 *
 * @param candidates one that was named, or the two default names, of which at most one may exist
 */
public record DeclarationPlace(List<Path> candidates) {
    private static final String ATTRIBUTES = "unix:dev,ino,mode,uid,size,lastModifiedTime,ctime";

    /** What is there. */
    public sealed interface Found {
        /** The file to read. */
        record File(Path path) implements Found {}

        /**
         * Nothing that could be read.
         *
         * @param sentence for the operator
         */
        record Nothing(String sentence) implements Found {}
    }

    public Found find() {
        List<Path> there = there();
        return switch (there.size()) {
            case 0 ->
                new Found.Nothing(
                        "cannot read the declaration: there is no " + any() + "; write one, it is seen at once");
            case 1 -> new Found.File(there.getFirst());
            default ->
                new Found.Nothing("cannot tell which declaration is meant: both " + there.get(0) + " and "
                        + there.get(1) + " exist; remove one");
        };
    }

    /** For a person: the file that is there; where there is none, or more than one, all that are looked for. */
    public String shown() {
        return find() instanceof Found.File(Path path) ? path.toString() : any();
    }

    private List<Path> there() {
        return candidates.stream().filter(Files::exists).toList();
    }

    private String any() {
        return candidates.stream().map(Path::toString).collect(Collectors.joining(" or "));
    }

    /** Changes whenever a file, or what a link leads to, is another or was written; never reads content. */
    public String signature() {
        return candidates.stream().map(DeclarationPlace::signature).collect(Collectors.joining("\n"));
    }

    private static String signature(Path path) {
        try {
            return path + " " + path.toRealPath() + " " + Files.readAttributes(path, ATTRIBUTES);
        } catch (IOException | SecurityException e) {
            return path + " absent";
        }
    }

    /** The directories in which a change shows: of the names themselves, and of what links lead to. */
    Set<Path> directories() {
        Set<Path> directories = new LinkedHashSet<>();
        for (Path candidate : candidates) {
            parent(candidate.toAbsolutePath()).ifPresent(directories::add);
            for (Path link = candidate; Files.isSymbolicLink(link) && directories.size() < 16; ) {
                Optional<Path> next = target(link);
                if (next.isEmpty()) {
                    break;
                }
                link = next.get();
                parent(link).ifPresent(directories::add);
            }
        }
        return directories;
    }

    private static Optional<Path> target(Path link) {
        try {
            return Optional.of(link.toAbsolutePath()
                    .resolveSibling(Files.readSymbolicLink(link))
                    .normalize());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<Path> parent(Path path) {
        return Optional.ofNullable(path.getParent()).filter(Files::isDirectory);
    }
}
