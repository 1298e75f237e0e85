package io.meshhost.launch;

import io.meshhost.machine.Files;
import io.meshhost.machine.Stat;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What a directory that nobody delivered is recognised by: names, modes and bytes of all that is in it. */
final class TreeDigest {
    private final Files files;
    private final MessageDigest digest;

    private TreeDigest(Files files) {
        this.files = files;
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** {@code sha256:HEX}; the order of the directory and all times do not count. */
    static String of(Path tree, Files files) {
        TreeDigest work = new TreeDigest(files);
        work.directory(tree, "");
        return "sha256:" + HexFormat.of().formatHex(work.digest.digest());
    }

    private void directory(Path directory, String at) {
        for (Path child : files.list(directory)) {
            String name = at + "/" + child.getFileName();
            files.stat(child).ifPresent(stat -> {
                add(stat.type() + " " + Integer.toOctalString(stat.mode()) + " " + name);
                content(child, name, stat);
            });
        }
    }

    private void content(Path child, String name, Stat stat) {
        switch (stat.type()) {
            case DIRECTORY -> directory(child, name);
            case FILE -> add(files.sha256(child));
            case LINK -> add(files.readLink(child).orElse(""));
            case OTHER -> add("");
        }
    }

    /** With its length, so that no two different trees give the same bytes. */
    private void add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
    }
}
