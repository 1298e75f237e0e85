package io.meshhost.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.meshhost.machine.Stat;
import java.util.Locale;
import java.util.Optional;

/**
 * What stood at a path before the host came, as the record keeps it.
 *
 * @param digest of a file whose content is kept, else empty
 * @param link where a link pointed, else empty
 */
record Before(Was was, int mode, int uid, int gid, long size, String digest, String link) {
    /** LARGE is a file whose content is not kept. */
    enum Was {
        ABSENT,
        FILE,
        LARGE,
        LINK,
        DIRECTORY
    }

    /** More than this is not kept in the record (SPEC 2). */
    static final long KEPT = 1024 * 1024;

    static Before absent() {
        return new Before(Was.ABSENT, 0, 0, 0, 0, "", "");
    }

    static Before of(Optional<Stat> stat, String digest, String link) {
        return stat.map(there -> {
                    boolean kept = there.isFile() && there.size() <= KEPT;
                    Was was = there.isDirectory()
                            ? Was.DIRECTORY
                            : there.isLink() ? Was.LINK : kept ? Was.FILE : Was.LARGE;
                    return new Before(
                            was, there.mode(), there.uid(), there.gid(), there.size(), kept ? digest : "", link);
                })
                .orElseGet(Before::absent);
    }

    String json() {
        ObjectNode node = Json.object().put("was", was.name().toLowerCase(Locale.ROOT));
        if (was != Was.ABSENT) {
            node.put("mode", mode).put("uid", uid).put("gid", gid).put("size", size);
        }
        if (was == Was.FILE) {
            node.put("digest", digest);
        }
        if (was == Was.LINK) {
            node.put("link", link);
        }
        return node.toString();
    }

    static Before read(String json) {
        JsonNode node = Json.read(json);
        return new Before(
                Was.valueOf(node.path("was").asText("absent").toUpperCase(Locale.ROOT)),
                node.path("mode").asInt(),
                node.path("uid").asInt(),
                node.path("gid").asInt(),
                node.path("size").asLong(),
                node.path("digest").asText(""),
                node.path("link").asText(""));
    }
}
