package io.meshhost.apply;

import io.meshhost.declaration.Resource.Content;
import io.meshhost.declaration.Resource.FileResource;
import io.meshhost.machine.Stat;
import io.meshhost.record.Applied;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is seen of a file's path, and of what is wanted there.
 *
 * @param supply the wanted digest, or why there is none; keyed where the file is secret
 * @param stat of the path itself, no link followed
 * @param proven nobody touched it since it was applied: nothing below was looked at
 * @param digest of the file there, keyed where secret; empty where there is no file
 * @param link where the link there points
 * @param way down to it
 * @param differences of mode and owner, in words
 * @param diff of the content, without secrets
 */
record FileSight(
        Path path,
        Supply supply,
        Optional<Stat> stat,
        boolean proven,
        String digest,
        String link,
        Way way,
        List<String> differences,
        Diff diff)
        implements FileSeen {

    private static final Diff SECRET_UNTIL_NOW = () -> List.of("(secret until now: content is not shown)");

    static FileSight of(FileResource resource, Optional<Applied> recorded, Sight sight) {
        Path path = sight.places().real(resource.path());
        Supply supply = supply(resource, sight);
        Optional<Stat> stat = sight.files().stat(path);
        boolean proven = supply instanceof Supply.Known known
                && stat.isPresent()
                && recorded.filter(row -> !row.pending()
                                && row.want().equals(want(resource, known.sha256()))
                                && Signature.proves(row.signature(), stat.get()))
                        .isPresent();
        if (proven) {
            return new FileSight(path, supply, stat, true, "", "", Way.untrodden(), List.of(), Diff.NONE);
        }
        FileSight seen = close(resource, path, supply, stat, sight);
        // What stands there was a secret until now, and stays one in the plan that makes it public.
        boolean wasSecret =
                recorded.filter(row -> row.want().startsWith(Secrets.KEYED)).isPresent();
        return wasSecret && !resource.secret() ? seen.withDiff(SECRET_UNTIL_NOW) : seen;
    }

    private FileSight withDiff(Diff other) {
        return new FileSight(
                path, supply, stat, proven, digest, link, way, differences, diff.equals(Diff.NONE) ? diff : other);
    }

    private static FileSight close(FileResource resource, Path path, Supply supply, Optional<Stat> stat, Sight sight) {
        boolean file = stat.filter(Stat::isFile).isPresent();
        String digest = file ? keyed(resource.secret(), sight.files().sha256(path), sight) : "";
        String link = stat.filter(Stat::isLink).isPresent()
                ? sight.files().readLink(path).orElse("")
                : "";
        List<String> differences =
                file ? ownership(resource).differences(stat.orElseThrow(), sight.accounts()) : List.of();
        boolean same = supply instanceof Supply.Known known && known.sha256().equals(digest);
        return new FileSight(
                path,
                supply,
                stat,
                false,
                digest,
                link,
                Way.to(path, stat, sight.files()),
                differences,
                same ? Diff.NONE : FileDiff.of(resource, path, stat, supply, sight));
    }

    /** As if there were nothing at the path. */
    static FileSight cleared(FileResource resource, Sight sight) {
        Path path = sight.places().real(resource.path());
        return close(resource, path, supply(resource, sight), Optional.empty(), sight);
    }

    private static Supply supply(FileResource resource, Sight sight) {
        Supply supply = switch (resource.content()) {
            case Content.Text text -> new Supply.Known(text.sha256());
            case Content.Fetched fetched -> Supply.of(fetched.bytes(), sight.bundles());
        };
        return supply instanceof Supply.Known known
                ? new Supply.Known(keyed(resource.secret(), known.sha256(), sight))
                : supply;
    }

    /** A plain digest of a short secret can be guessed back; one keyed by this machine cannot. */
    static String keyed(boolean secret, String sha256, Sight sight) {
        return secret ? Secrets.keyed(sight.record().secretKey(), sha256) : sha256;
    }

    static Ownership ownership(FileResource resource) {
        return new Ownership(resource.mode(), resource.owner(), resource.group());
    }

    /** Identity of what is declared: the digest first, so that undeclaring knows our own content. */
    static String want(FileResource resource, String digest) {
        return digest + " " + ownership(resource).words() + (resource.secret() ? " secret" : "");
    }
}
