package io.meshhost.converge;

import io.meshhost.declaration.Declarations;
import io.meshhost.declaration.MachineFacts;
import io.meshhost.declaration.Reading;
import io.meshhost.machine.Trust;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads a declaration from its file, for this machine. */
final class DeclarationReader {
    /** As much as {@link Declarations} takes; one byte more is read, so that it can say that it is too long. */
    private static final int LARGEST = 16 << 20;

    private final boolean trustFile;
    private final Map<String, Path> artifacts;

    DeclarationReader(boolean trustFile, Map<String, Path> artifacts) {
        this.trustFile = trustFile;
        this.artifacts = artifacts;
    }

    /** The host name in lower case (SPEC 2). */
    String node() {
        return text(Path.of("/proc/sys/kernel/hostname")).strip().toLowerCase(Locale.ROOT);
    }

    Reading read(Path file) {
        Path absolute = file.toAbsolutePath();
        if (!trustFile) {
            Trust.complaint(absolute).ifPresent(sentence -> {
                throw new Unreadable(sentence, null);
            });
        }
        Path base = Optional.ofNullable(absolute.getParent()).orElse(Path.of("/"));
        return Declarations.read(bytes(file), file.toString(), base, new MachineFacts(node(), system(), artifacts));
    }

    private static byte[] bytes(Path file) {
        if (Files.isDirectory(file)) {
            throw new Unreadable("cannot read " + file + ": it is a directory; name a file in it", null);
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(LARGEST + 1);
        } catch (NoSuchFileException e) {
            throw new Unreadable("cannot read " + file + ": there is no such file; check the name", e);
        } catch (AccessDeniedException e) {
            throw new Unreadable("cannot read " + file + ": this user may not; run this as its owner or as root", e);
        } catch (IOException e) {
            throw new Unreadable("cannot read " + file + ": " + e.getMessage() + "; check the disk", e);
        }
    }

    /** os-release(5): its ID, "linux" where it has none. */
    private static String system() {
        return List.of("/etc/os-release", "/usr/lib/os-release").stream()
                .map(Path::of)
                .map(DeclarationReader::text)
                .flatMap(String::lines)
                .filter(line -> line.startsWith("ID="))
                .map(line -> line.substring("ID=".length())
                        .replace("\"", "")
                        .replace("'", "")
                        .strip())
                .findFirst()
                .orElse("linux");
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            return "";
        }
    }
}
