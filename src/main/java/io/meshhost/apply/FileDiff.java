package io.meshhost.apply;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import io.meshhost.declaration.Resource.Content;
import io.meshhost.declaration.Resource.FileResource;
import io.meshhost.machine.Stat;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What would change in a file's content, for people: bounded, and silent about secrets. */
final class FileDiff {
    /** Larger texts are told by their sizes: nobody reads them in a terminal, and a diff costs their product. */
    private static final long TEXT = 256 * 1024;

    private static final int COMPARED = 4000;
    private static final int SHOWN = 200;

    private FileDiff() {}

    static List<String> of(FileResource resource, Path path, Optional<Stat> stat, Supply supply, Sight sight) {
        if (resource.secret()) {
            return List.of("(secret: content is not shown)");
        }
        return switch (resource.content()) {
            case Content.Fetched fetched -> {
                List<String> lines = new ArrayList<>();
                stat.filter(Stat::isFile).ifPresent(there -> lines.add("- " + there.size() + " bytes"));
                if (supply instanceof Supply.Known known) {
                    lines.add("+ sha256 " + known.sha256() + " from " + Supply.from(fetched.bytes()));
                }
                yield lines;
            }
            case Content.Text text -> text(resource.path().toString(), path, stat, text.text(), sight);
        };
    }

    private static List<String> text(String name, Path path, Optional<Stat> stat, String wanted, Sight sight) {
        long size = stat.filter(Stat::isFile).map(Stat::size).orElse(0L);
        byte[] old = size > 0 && size <= TEXT ? sight.files().read(path, TEXT) : new byte[0];
        Optional<String> before = size > TEXT ? Optional.empty() : decode(old);
        int bytes = wanted.getBytes(StandardCharsets.UTF_8).length;
        if (before.isEmpty() || bytes > TEXT || wanted.indexOf('\0') >= 0) {
            return List.of("- " + size + " bytes", "+ " + bytes + " bytes");
        }
        return unified(name, lines(before.get()), lines(wanted));
    }

    private static List<String> unified(String name, List<String> before, List<String> after) {
        if (before.size() > COMPARED || after.size() > COMPARED) {
            return List.of("- " + before.size() + " lines", "+ " + after.size() + " lines");
        }
        List<String> diff = UnifiedDiffUtils.generateUnifiedDiff(name, name, before, DiffUtils.diff(before, after), 3);
        if (diff.size() <= SHOWN) {
            return List.copyOf(diff);
        }
        List<String> shown = new ArrayList<>(diff.subList(0, SHOWN));
        shown.add("(" + (diff.size() - SHOWN) + " more lines)");
        return shown;
    }

    /** A last line without its newline differs from one with it, as in diff(1). */
    private static List<String> lines(String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        if (lines.getLast().isEmpty()) {
            lines.removeLast();
        } else {
            lines.set(lines.size() - 1, lines.getLast() + " (no newline at the end)");
        }
        return lines;
    }

    private static Optional<String> decode(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.indexOf('\0') >= 0 ? Optional.empty() : Optional.of(text);
        } catch (CharacterCodingException binary) {
            return Optional.empty();
        }
    }
}
