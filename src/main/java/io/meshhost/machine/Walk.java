package io.meshhost.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Walks to the directory of a target, one name at a time without following, and judges the ground it stands
 * on (SPEC 2, "Where root writes").
 *
 * <p>The fault it prevents: a user who may write some directory on the way swaps it, or plants a link, and has root
 * write, chown or delete somewhere else.
 */
final class Walk {
    private static final int MOST_LINKS = 40;
    private static final int STICKY = 01000;

    private final Path root;
    private final Self self;
    private final Map<Path, Spot> known = new ConcurrentHashMap<>();

    Walk(Path root, Self self) {
        this.root = root;
        this.self = self;
    }

    /** What a directory is worth as a place to write into. */
    enum Ground {
        /** Nobody else can change what any name on the way, or in the directory, stands for. */
        SOUND,
        /** The directory is the right one for sure, but others may write into it. */
        SHARED,
        /** Others may put another directory in its place at any moment. */
        SHIFTING
    }

    /**
     * @param directory without links
     * @param anchor the last directory on the way that nobody else can replace
     */
    record Spot(Path directory, Ground ground, Path anchor) {
        boolean sound() {
            return ground == Ground.SOUND;
        }

        boolean shifting() {
            return ground == Ground.SHIFTING;
        }

        Path at(Path target) {
            return directory.resolve(name(target));
        }
    }

    static Path name(Path target) {
        Path name = target.getFileName();
        if (name == null) {
            throw new IllegalArgumentException("the root directory is no target");
        }
        return name;
    }

    /** The directory in which the target's last name stands, or will. */
    Spot parentOf(Path target) throws IOException {
        Path parent = target.getParent();
        if (parent == null || !target.startsWith(root) || target.equals(root) || !target.equals(target.normalize())) {
            throw new Refusal("it is not a normal path under " + root);
        }
        Spot spot = known.get(parent);
        if (spot == null) {
            spot = new Steps().go(parent);
            known.put(parent, spot);
        }
        return spot;
    }

    /** Others may write there, and yet not rename or remove what is ours, as in {@code /tmp}: sticky, and the directory ours. */
    boolean keepsOurs(Spot spot) throws IOException {
        return spot.ground() == Ground.SHARED
                && Stats.lstat(spot.directory())
                        .filter(is -> ours(is) && (is.mode() & STICKY) != 0)
                        .isPresent();
    }

    /** A name was taken away or replaced: what was judged before may stand for something else now. */
    void forget() {
        known.clear();
    }

    private boolean ours(Stat stat) {
        return ours(stat.uid());
    }

    /** Root's, or the caller's own. */
    boolean ours(int uid) {
        return uid == 0 || uid == self.uid();
    }

    /**
     * Bits for an ACL's entries too: with an ACL the group bits are its mask. A plain user's own group does not
     * count as others, or nothing would be sound under the common umask 002.
     */
    private boolean othersMayWrite(Stat directory) {
        boolean group = (directory.mode() & 0020) != 0 && (self.root() || directory.gid() != self.gid());
        return !ours(directory) || group || (directory.mode() & 0002) != 0;
    }

    /** One walk from the root down. */
    private final class Steps {
        private final Deque<Path> todo = new ArrayDeque<>();
        private Path at = root;
        private Path anchor = root;
        private boolean stable = true;
        private int links;

        Spot go(Path directory) throws IOException {
            ahead(root.relativize(directory));
            // The root is the operator's word: it is taken as it stands, link or not.
            Stat here = Stats.find(root).orElseThrow(() -> new Refusal("the directory " + root + " does not exist"));
            while (!todo.isEmpty()) {
                here = step(here, todo.pop());
            }
            Ground ground = !stable ? Ground.SHIFTING : othersMayWrite(here) ? Ground.SHARED : Ground.SOUND;
            return new Spot(at, ground, anchor);
        }

        private Stat step(Stat here, Path name) throws IOException {
            if (name.toString().isEmpty() || name.toString().equals(".")) {
                return here;
            }
            if (name.toString().equals("..")) {
                return up();
            }
            Path next = at.resolve(name);
            Stat seen = Stats.lstat(next).orElseThrow(() -> new Refusal("the directory " + next + " does not exist"));
            return switch (seen.type()) {
                case LINK -> follow(here, seen, next);
                case DIRECTORY -> enter(here, seen, next);
                case FILE, OTHER -> throw new Refusal(next + " is not a directory");
            };
        }

        private Stat enter(Stat here, Stat seen, Path next) {
            boolean fixed = !othersMayWrite(here) || (ours(here) && (here.mode() & STICKY) != 0 && ours(seen));
            stable = stable && fixed;
            at = next;
            if (stable) {
                anchor = next;
            }
            return seen;
        }

        private Stat follow(Stat here, Stat link, Path next) throws IOException {
            if (!stable || !ours(link) || othersMayWrite(here)) {
                throw new Refusal("the link " + next + " on the way is not followed, because somebody other than "
                        + (self.root() ? "root" : "root and you") + " owns it or may replace it");
            }
            if (++links > MOST_LINKS) {
                throw new Refusal("links on the way to it lead in a circle (" + next + ")");
            }
            Path target = Files.readSymbolicLink(next);
            if (!target.isAbsolute()) {
                ahead(target);
                return here;
            }
            if (!target.startsWith(root)) {
                throw new Refusal("the link " + next + " on the way leads out of " + root);
            }
            ahead(root.relativize(target));
            at = root;
            anchor = root;
            return Stats.find(root).orElseThrow(() -> new Refusal("the directory " + root + " does not exist"));
        }

        private Stat up() throws IOException {
            Path parent = at.getParent();
            if (parent == null) {
                return Stats.find(root).orElseThrow();
            }
            if (at.equals(root)) {
                throw new Refusal("a link on the way leads out of " + root);
            }
            if (!stable) {
                throw new Refusal("a link on the way leads through " + at + ", which others may replace");
            }
            at = parent;
            anchor = parent;
            return Stats.find(parent).orElseThrow(() -> new Refusal("the directory " + at + " does not exist"));
        }

        private void ahead(Path names) {
            for (int i = names.getNameCount() - 1; i >= 0; i--) {
                todo.push(names.getName(i));
            }
        }
    }
}
