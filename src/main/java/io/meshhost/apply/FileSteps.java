package io.meshhost.apply;

import java.nio.file.Path;
import java.util.List;

/** What can be done about a path, as plain data; carried out by {@link PathWork}. */
sealed interface FileSteps extends Step {
    /** Directories above it, outermost first, 0755. */
    record MakeParents(List<Path> parents) implements FileSteps {
        @Override
        public String sentence() {
            return "make "
                    + String.join(", ", parents.stream().map(Path::toString).toList());
        }
    }

    /** The declared content, under its final mode and owner. */
    record Write(Path path, long size) implements FileSteps {
        @Override
        public String sentence() {
            return size < 0 ? "write " + path : "write " + size + " bytes to " + path;
        }
    }

    /** Mode and owner only. */
    record Change(Path path, String what) implements FileSteps {
        @Override
        public String sentence() {
            return "set " + what + " of " + path;
        }
    }

    /** The record alone is brought up to date. */
    record Note(String what) implements FileSteps {
        @Override
        public String sentence() {
            return what;
        }
    }

    /** What an interrupted write left beside it goes. */
    record Sweep(Path path) implements FileSteps {
        @Override
        public String sentence() {
            return "clear what was interrupted beside " + path;
        }
    }

    /** What somebody else put there is kept beside. */
    record Aside(Path path, Path to) implements FileSteps {
        @Override
        public String sentence() {
            return "move " + path + " to " + to;
        }

        @Override
        public boolean clears(Path other) {
            return path.equals(other);
        }
    }

    /** What was there before comes back. */
    record PutBack(Path path, Before before) implements FileSteps {
        @Override
        public String sentence() {
            return "put back what was at " + path + " before";
        }
    }

    record Delete(Path path) implements FileSteps {
        @Override
        public String sentence() {
            return "remove " + path;
        }

        @Override
        public List<Path> removes() {
            return List.of(path);
        }
    }

    /** Directories that were made for it and hold nothing any more, innermost first. */
    record DeleteParents(List<Path> parents) implements FileSteps {
        @Override
        public String sentence() {
            return "remove "
                    + String.join(", ", parents.stream().map(Path::toString).toList()) + ", empty now";
        }

        @Override
        public List<Path> removes() {
            return parents;
        }
    }
}
