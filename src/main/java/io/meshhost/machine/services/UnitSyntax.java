package io.meshhost.machine.services;

import io.meshhost.machine.MachineFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a word is written in a unit file so that systemd reads it back unchanged (systemd.syntax(7),
 * systemd.unit(5) specifiers, systemd.service(5) command lines, systemd.exec(5) environment).
 *
 * <p>The rules differ from directive to directive, and each wrong one has bitten: a value that ends in a
 * backslash swallows the next line, a line break adds a directive of the value's choosing, {@code %} is
 * replaced everywhere, {@code $} on command lines only. No method here ever gives a line break.
 */
final class UnitSyntax {
    private UnitSyntax() {}

    /** A quoted word for Environment= and path lists: any text without NUL. */
    static String quoted(String word) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '%' -> out.append("%%");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                case '\r' -> out.append("\\r");
                case '\0' -> throw new MachineFailure("cannot write a unit: a value holds a NUL; take it out");
                default -> plain(out, c);
            }
        }
        return out.append('"').toString();
    }

    private static void plain(StringBuilder out, char c) {
        if (c < ' ' || c == 0x7f) {
            out.append(String.format("\\x%02x", (int) c));
        } else {
            out.append(c);
        }
    }

    /**
     * The value of ExecStart=. It always begins with a quoted absolute path, so nothing that a declaration
     * says can become one of the prefixes {@code -@:+!}, which would hide failures or drop the user.
     */
    static String command(List<String> argv) {
        return words(argv).stream().map(UnitSyntax::quoted).collect(Collectors.joining(" "));
    }

    /**
     * The words of a command line as systemd keeps them: {@code $} doubled, since it puts in variables only
     * when it starts the process. It takes the path as it is, though, without {@code $$}, and refuses quotes
     * and backslashes in it; such a path is run by way of a shell that does nothing but exec.
     */
    static List<String> words(List<String> argv) {
        Stream<String> shell =
                plainPath(argv.getFirst()) ? Stream.of() : Stream.of("/bin/sh", "-c", "exec \"$@\"", "sh");
        return Stream.concat(shell, argv.stream())
                .map(word -> word.replace("$", "$$"))
                .toList();
    }

    /** Whether systemd takes the path as an executable, and reads it as it is written. */
    static boolean plainPath(String path) {
        return path.chars().allMatch(c -> c >= ' ' && c != 0x7f && "\"'\\$".indexOf(c) < 0);
    }

    /** Free text such as Description=, which knows no quoting: control characters become blanks. */
    static String text(String text) {
        String line = text.codePoints()
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString()
                .strip();
        // A blank after a last backslash: else the next line would be taken for a part of this one.
        return specifiers(line) + (line.endsWith("\\") ? " " : "");
    }

    /** A path where no quoting is known (WorkingDirectory=). */
    static String path(Path path) {
        String name = unbroken(path);
        // The slash keeps a last backslash from joining lines and a last blank from being cut off.
        return specifiers(name.endsWith("\\") || name.endsWith(" ") ? name + "/" : name);
    }

    /** A path for EnvironmentFile=, which is a pattern of glob(7). */
    static String pattern(Path path) {
        String name = unbroken(path).replaceAll("[\\\\*?\\[\\]]", "\\\\$0");
        if (name.endsWith(" ")) {
            throw new MachineFailure(
                    "cannot write a unit: systemd cannot read \"" + path + "\", which ends in a blank; rename it");
        }
        return specifiers(name);
    }

    static String specifiers(String text) {
        return text.replace("%", "%%");
    }

    private static String unbroken(Path path) {
        String name = path.toString();
        if (name.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw new MachineFailure("cannot write a unit: the path \"" + text(name)
                    + "\" holds a control character, which systemd cannot be told; rename it");
        }
        return name;
    }

    /**
     * A line of a file for EnvironmentFile= (systemd.exec(5)): in double quotes a backslash goes before each
     * of the four characters that a POSIX shell treats there, and a line break stands for itself.
     */
    static String assignment(String name, String value) {
        if (value.indexOf('\0') >= 0) {
            throw new MachineFailure("cannot write the secrets: the value of " + name + " holds a NUL; take it out");
        }
        return name + "=\"" + value.replaceAll("[\"\\\\`$]", "\\\\$0") + "\"\n";
    }
}
