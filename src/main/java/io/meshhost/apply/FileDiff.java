package io.meshhost.apply;

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
    private FileDiff() {}

    static Diff of(FileResource resource, Path path, Optional<Stat> stat, Supply supply, Sight sight) {
        if (resource.secret()) {
            return () -> List.of("(secret: content is not shown)");
        }
        return switch (resource.content()) {
            case Content.Fetched fetched -> {
                List<String> lines = new ArrayList<>();
                stat.filter(Stat::isFile).ifPresent(there -> lines.add("- " + there.size() + " bytes"));
                if (supply instanceof Supply.Known known) {
                    lines.add("+ sha256 " + known.sha256() + " from " + Supply.from(fetched.bytes()));
                }
                yield () -> lines;
            }
            case Content.Text text ->
                Diff.looking(() -> text(resource.path().toString(), path, stat, text.text(), sight));
        };
    }

    private static List<String> text(String name, Path path, Optional<Stat> stat, String wanted, Sight sight) {
        long size = stat.filter(Stat::isFile).map(Stat::size).orElse(0L);
        int bytes = wanted.getBytes(StandardCharsets.UTF_8).length;
        if (size > TextDiff.LIMIT || bytes > TextDiff.LIMIT) {
            return List.of(TextDiff.tooLarge(size, bytes, "bytes"));
        }
        Optional<String> before = decode(size > 0 ? sight.files().read(path, TextDiff.LIMIT) : new byte[0]);
        return before.isEmpty() || wanted.indexOf('\0') >= 0
                ? List.of("- " + size + " bytes", "+ " + bytes + " bytes")
                : TextDiff.of(name, before.get(), wanted);
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
