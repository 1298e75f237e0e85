package io.meshhost.bundle;

import io.meshhost.machine.Progress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Bytes from outside, by digest: fetched at most once, hashed on the way in, kept in a content-addressed
 * store, unpacked only into an empty folder of ours.
 *
 * <p>All digests are 64 lower-case hex digits of SHA-256. Failures are {@link BundleFailure}s; a mismatch
 * says both digests, and nothing is kept of it.
 */
public interface Bundles {
    /** The stored bytes, where they are here already; no hashing: a blob is named only after it was hashed. */
    Optional<Path> stored(String sha256);

    /**
     * Streams the bytes into the store, memory flat in their size; gives the blob. Nothing is
     * downloaded when {@link #stored} has it. Space is checked first where the size is known
     * ("needs X, has Y").
     */
    Path fetch(URI source, String sha256, Progress progress);

    /** Digest of a file on this machine, remembered by its signature while it stays as it is. */
    String digest(Path file);

    /** What an archive would unpack, in its order, without writing anything; the same refusals as unpacking. */
    List<Entry> list(Path archive, int strip);

    /**
     * Unpacks in one pass into a folder that does not exist yet, every file written and fsynced, folders
     * once at the end, owned as given. Whatever goes wrong, the folder is gone again when this throws.
     *
     * @param owner uid and gid of everything unpacked; where this program is not root, its own
     * @return what stands there now, directories made on the way included
     */
    List<Entry> unpack(Path archive, int strip, Path into, Owner owner, Progress progress);

    /** Removes blobs that nothing declared needs any more, and half-fetched ones. */
    void prune(Set<String> keep);

    /** A source as it may be shown: without user, password and query, which may hold a token. */
    static String shown(URI source) {
        return Sources.shown(source);
    }

    /** Numeric owner. */
    record Owner(int uid, int gid) {}
}
