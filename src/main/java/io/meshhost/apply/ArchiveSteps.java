package io.meshhost.apply;

import java.nio.file.Path;
import java.util.List;

/** What can be done about an unpacked archive. */
sealed interface ArchiveSteps extends Step {
    /** Unpacks beside the path and swaps the new tree in. */
    record Swap(Path path) implements ArchiveSteps {
        @Override
        public String sentence() {
            return "unpack to " + path;
        }
    }

    /** Directories above it, outermost first. */
    record MakeParents(FileSteps.MakeParents parents) implements ArchiveSteps {
        @Override
        public String sentence() {
            return parents.sentence();
        }
    }

    /** What stands there is noted as what the archive unpacks. */
    record Adopt(Path path, ArchiveEntries entries) implements ArchiveSteps {
        @Override
        public String sentence() {
            return "note " + path + " as found";
        }
    }

    /** An interrupted swap is finished or undone. */
    record Recover(Path path) implements ArchiveSteps {
        @Override
        public String sentence() {
            return "clear what was interrupted beside " + path;
        }
    }

    /**
     * @param aside relative paths changed by somebody: kept under another name
     * @param entries relative paths, a directory after what is in it
     * @param root whether the directory itself goes, too
     */
    record Remove(Path path, List<Path> aside, List<Path> entries, boolean root) implements ArchiveSteps {
        @Override
        public String sentence() {
            return "remove " + entries.size() + " unpacked entries from " + path;
        }

        @Override
        public List<Path> removes() {
            return root ? List.of(path) : List.of();
        }
    }

    /** Directories made for it that hold nothing any more. */
    record DeleteParents(FileSteps.DeleteParents parents) implements ArchiveSteps {
        @Override
        public String sentence() {
            return parents.sentence();
        }

        @Override
        public List<Path> removes() {
            return parents.removes();
        }
    }
}
