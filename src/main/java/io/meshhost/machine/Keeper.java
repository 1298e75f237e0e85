package io.meshhost.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Duration;

/** The two questions about a file that the JDK cannot answer and a small program can. */
final class Keeper {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int MARK = 10;

    private final Commands commands;

    Keeper(Commands commands) {
        this.commands = commands;
    }

    /** Makes the file, empty, with mode, owner, ACL and extended attributes of the other (cp(1)). */
    void copyAttributes(Path from, Path to) throws IOException {
        run(
                "cp",
                "--attributes-only",
                "--no-dereference",
                "--preserve=mode,ownership,xattr",
                "--",
                text(from),
                text(to));
    }

    /**
     * Where others may write, a file's ACL and extended attributes cannot be carried over safely; losing them in silence
     * would break the promise that they are kept.
     */
    void refuseExtras(Path file) throws IOException {
        UserDefinedFileAttributeView view =
                Files.getFileAttributeView(file, UserDefinedFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        boolean extras = view != null && !view.list().isEmpty();
        if (extras || hasAcl(file)) {
            throw new Refusal(
                    "it has an ACL or extended attributes, which cannot be kept in a directory that others may "
                            + "write; take them away with setfacl -b and setfattr -x");
        }
    }

    /** ls(1) marks one with a plus sign after the mode. */
    private boolean hasAcl(Path file) throws IOException {
        try {
            String line = commands.run(
                            Commands.Command.of("ls", "-ldn", "--", text(file)).within(LIMIT))
                    .out();
            return line.length() > MARK && line.charAt(MARK) == '+';
        } catch (MachineFailure e) {
            throw new IOException(e.sentence(), e);
        }
    }

    /** "immutable", "append-only" or nothing (lsattr(1)); asked after a failure only. */
    String attribute(Path path) {
        try {
            String flags = commands.run(Commands.Command.of("lsattr", "-d", "--", text(path))
                            .within(LIMIT))
                    .out();
            String first = flags.strip().split("\\s", 2)[0];
            return first.contains("i") ? "immutable" : first.contains("a") ? "append-only" : "";
        } catch (MachineFailure e) {
            return "";
        }
    }

    private void run(String... argv) throws IOException {
        try {
            Commands.Result result = commands.run(Commands.Command.of(argv).within(LIMIT));
            if (!result.ok()) {
                throw new Refusal(result.lastWords());
            }
        } catch (MachineFailure e) {
            throw new IOException(e.sentence(), e);
        }
    }

    private static String text(Path path) {
        return path.toString();
    }
}
