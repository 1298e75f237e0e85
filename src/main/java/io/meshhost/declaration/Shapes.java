package io.meshhost.declaration;

import io.meshhost.declaration.Shape.Choice;
import io.meshhost.declaration.Shape.Either;
import io.meshhost.declaration.Shape.Field;
import io.meshhost.declaration.Shape.Flag;
import io.meshhost.declaration.Shape.ListOf;
import io.meshhost.declaration.Shape.MapOf;
import io.meshhost.declaration.Shape.Rule;
import io.meshhost.declaration.Shape.Struct;
import io.meshhost.declaration.Shape.Text;
import io.meshhost.declaration.Shape.Whole;
import io.meshhost.declaration.Shape.Word;
import java.util.List;
import java.util.regex.Pattern;

/** The shapes that several fields have (SPEC 2, "Shapes"). */
final class Shapes {
    private Shapes() {}

    static final Text ANY = Text.of("text in quotes", "[^\\u0000]*");
    static final Text SOME = Text.of("text in quotes, not empty", "[^\\u0000]+");
    static final Text CONTENT =
            new Text("text in quotes", Pattern.compile("[\\s\\S]*"), SourceText.MAX_BYTES, true, false);

    static final Text ID = Text.of(
            "lower-case letters, digits, \"_\", \".\" and \"-\", beginning with a letter or digit, as \"web-config\"",
            "[a-z0-9][a-z0-9_.-]*");
    static final Text REFERENCE = Text.of(
            "the id of a resource of this module, or \"slug/id\"", "[a-z0-9][a-z0-9_.-]*(/[a-z0-9][a-z0-9_.-]*)?");
    static final Text PATH = Text.of("an absolute path, as \"/etc/app.conf\"", "/[^\\u0000]*");
    static final Text MODE =
            new Text("octal digits in quotes, as \"0644\"", Pattern.compile("0{0,8}[0-7]{1,4}"), 12, false, true);
    static final Either ACCOUNT = new Either(
            "a name or a number, as \"www-data\" or 1000",
            Text.of("the name of an account, as \"www-data\"", "[^\\s:/\\u0000]+"),
            new Whole("a number from 0", 0, Integer.MAX_VALUE));
    static final Text SOURCE =
            Text.of("a path, or an address that begins with file:, http:, https: or oci:", "[^\\u0000]+");
    static final Text DIGEST =
            Text.of("SHA-256 as 64 hex digits, as \"sha256:9f86…\"", "\\s*([sS][hH][aA]256:)?\\s*[0-9a-fA-F]{64}\\s*");
    static final Text DURATION = Text.of(
            "a duration of h, m, s and ms in this order, as \"90s\", \"5m\" or \"1h30m\"",
            "(?=[0-9])([0-9]{1,9}h)?([0-9]{1,9}m)?([0-9]{1,9}s)?([0-9]{1,9}ms)?");
    static final Either SIZE = new Either(
            "a size in bytes, or with K, M, G or T (times 1024), as \"512M\"",
            Text.of("a size with K, M, G or T (times 1024), as \"512M\"", "[0-9]{1,15}[KMGT]?"),
            new Whole("a number of bytes from 1", 1, Long.MAX_VALUE));
    static final Text PROCESS_NAME = Text.of(
            "at most 64 lower-case letters, digits, \"_\", \".\" and \"-\", beginning with a letter or digit",
            "[a-z0-9$][a-z0-9_.${}-]*");
    static final Text USER_NAME = Text.of(
            "at most 32 lower-case letters, digits, \"_\" and \"-\", beginning with a letter or \"_\"",
            "[a-z_$][a-z0-9_${}-]*");
    static final Text UNIT_NAME = Text.of("the name of a unit, as \"nginx.service\"", "[A-Za-z0-9:_.\\\\@${}-]+");
    static final Text URL = Text.of("an address, as \"http://127.0.0.1:8080/healthz\"", "https?://[^\\s\\u0000]+");

    /** Bytes of one argument, or of one NAME=VALUE: MAX_ARG_STRLEN without the closing NUL, see execve(2). */
    static final int LONGEST_WORD = 32 * 4096 - 1;

    static final Word WORD = new Word("text in quotes", LONGEST_WORD);
    static final ListOf COMMAND = new ListOf("a list of words, as [\"bin/app\", \"--verbose\"]", WORD, 1, true);
    static final Flag FLAG = new Flag();
    static final Choice SANDBOX = new Choice(List.of("none", "standard", "strict"));

    static final Text ENV_NAME =
            Text.of("a name of letters, digits and \"_\" that does not begin with a digit", "[A-Za-z_][A-Za-z0-9_]*");

    static final Struct SECRET = new Struct(
            "secret",
            "A value that reaches the process through a root-only file, and is never shown.",
            List.of(Field.must("secret", ANY, "The value itself.", "\"s3cr3t\"")),
            List.of());

    static final MapOf ENV = new MapOf(
            "an object of names and values", ENV_NAME, new Either("text in quotes, or {secret: TEXT}", WORD, SECRET));

    static final Struct LIMITS = new Struct(
            "limits",
            "What the process may use at most.",
            List.of(
                    Field.may("memory", SIZE, "no limit", "Memory, swap not counted.", "\"512M\""),
                    Field.may(
                            "cpu",
                            new Shape.Decimal("a number of cores above 0, as 1.5"),
                            "no limit",
                            "Processor time, in cores.",
                            "1.5"),
                    Field.may(
                            "tasks",
                            new Whole("a number from 1", 1, Integer.MAX_VALUE),
                            "no limit",
                            "Threads and processes.",
                            "100"),
                    Field.may(
                            "files",
                            new Whole("a number from 1", 1, Integer.MAX_VALUE),
                            "no limit",
                            "Open files of each process.",
                            "1024")),
            List.of());

    static final Struct HEALTH = new Struct(
            "health",
            "How to tell that a daemon works; asked again and again until it answers or the time is up.",
            List.of(
                    Field.may(
                            "http",
                            URL,
                            "",
                            "Healthy when this address answers with a status from 200 to 399.",
                            "\"http://127.0.0.1:8080/healthz\""),
                    Field.may(
                            "socket",
                            PATH,
                            "",
                            "Healthy when this unix socket accepts a connection. `${…}` is replaced.",
                            "\"/run/app/app.sock\""),
                    Field.may(
                            "command",
                            COMMAND,
                            "",
                            "Healthy when this command ends with 0; it is looked for as `run` is.",
                            "[\"bin/app\", \"ping\"]"),
                    Field.may("interval", DURATION, "2s", "Time between two questions.", "\"2s\""),
                    Field.may(
                            "timeout", DURATION, "60s", "After this time without an answer it has failed.", "\"60s\"")),
            List.of(new Rule.OneOf(List.of(List.of("http"), List.of("socket"), List.of("command")))));
}
