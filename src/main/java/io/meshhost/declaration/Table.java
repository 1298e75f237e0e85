package io.meshhost.declaration;

import io.meshhost.declaration.Shape.ByType;
import io.meshhost.declaration.Shape.Choice;
import io.meshhost.declaration.Shape.Field;
import io.meshhost.declaration.Shape.ListOf;
import io.meshhost.declaration.Shape.Rule;
import io.meshhost.declaration.Shape.Struct;
import io.meshhost.declaration.Shape.Text;
import io.meshhost.declaration.Shape.Whole;
import java.util.ArrayList;
import java.util.List;

/** Every field of a declaration, once (SPEC 2). */
final class Table {
    private Table() {}

    /** Types that SPEC 2 names and this version does not do yet. */
    static final List<String> LATER = List.of("package", "container", "tenant");

    private static final Field SOURCE = Field.may(
            "source",
            Shapes.SOURCE,
            "",
            "Where the bytes are: an absolute path, a path relative to the declaration's file, or an address "
                    + "with file:, http:, https: or oci:. `${…}` is replaced.",
            "\"https://bundles.example/app-1.tar.gz\"");
    private static final Field DIGEST = Field.may(
            "digest",
            Shapes.DIGEST,
            "",
            "SHA-256 of the bytes: 64 hex digits, upper or lower case, with or without sha256: before them.",
            "\"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"");

    private static final Field PATH = Field.must(
            "path",
            Shapes.PATH,
            "Where it is: absolute, without `..`, `.`, `//` or a slash at the end. `${…}` is replaced.",
            "\"/etc/app/app.conf\"");
    private static final Field OWNER = Field.may(
            "owner",
            Shapes.ACCOUNT,
            "kept; root where it is new",
            "The user it belongs to, by name or number.",
            "\"www-data\"");
    private static final Field GROUP = Field.may(
            "group",
            Shapes.ACCOUNT,
            "kept; root where it is new",
            "The group it belongs to, by name or number.",
            "\"adm\"");

    static final Struct FILE = resource(
            "file",
            "A file with this content, written whole: under another name first, then renamed.",
            List.of(
                    PATH,
                    Field.may(
                            "mode",
                            Shapes.MODE,
                            "kept; 0644 where it is new",
                            "Permissions as octal digits in quotes. In YAML, digits without quotes are taken as they are written.",
                            "\"0644\""),
                    OWNER,
                    GROUP,
                    Field.may(
                            "secret",
                            Shapes.FLAG,
                            "false",
                            "True: the content is never shown in plans, records or logs. A mode that is not declared is 0600 where it is"
                                    + " new; where others may write, mode and owner are never taken over.",
                            "true"),
                    Field.may(
                            "content", Shapes.CONTENT, "", "What the file says, byte for byte.", "\"port = 8080\\n\""),
                    Field.may(
                            "template",
                            Shapes.CONTENT,
                            "",
                            "What the file says, after `${…}` is replaced.",
                            "\"node = ${node}\\n\""),
                    SOURCE,
                    DIGEST),
            List.of(new Rule.OneOf(List.of(List.of("content"), List.of("template"), List.of("source", "digest")))));

    static final Struct DIRECTORY = resource(
            "directory",
            "A directory. What is in it is left alone.",
            List.of(
                    PATH,
                    Field.may(
                            "mode",
                            Shapes.MODE,
                            "kept; 0755 where it is new",
                            "Permissions as octal digits in quotes.",
                            "\"0750\""),
                    OWNER,
                    GROUP),
            List.of());

    static final Struct ARCHIVE = resource(
            "archive",
            "A tar or zip archive, unpacked beside its path and swapped in whole.",
            List.of(
                    PATH,
                    Field.may(
                            "strip",
                            new Whole("a number from 0 to 100", 0, 100),
                            "0",
                            "How many leading directories to drop from every name in the archive.",
                            "1"),
                    Field.may(
                            "artifact",
                            Shapes.SOME,
                            "",
                            "The name of an entry of `build.artifacts` in the same manifest. `${…}` is replaced.",
                            "\"app\""),
                    SOURCE,
                    DIGEST),
            List.of(new Rule.OneOf(List.of(List.of("artifact"), List.of("source", "digest")))));

    static final Struct USER = resource(
            "user",
            "An account of the machine.",
            List.of(
                    Field.must("name", Shapes.USER_NAME, "The account's name. `${…}` is replaced.", "\"app\""),
                    Field.may(
                            "uid",
                            new Whole("a number from 0", 0, Integer.MAX_VALUE),
                            "the machine chooses",
                            "The account's number.",
                            "1500"),
                    Field.may(
                            "home",
                            Shapes.PATH,
                            "the machine chooses",
                            "The home directory. `${…}` is replaced.",
                            "\"/srv/app\""),
                    Field.may(
                            "shell",
                            Shapes.PATH,
                            "the machine chooses",
                            "The login shell. `${…}` is replaced.",
                            "\"/usr/sbin/nologin\""),
                    Field.may(
                            "groups",
                            ListOf.of("a list of groups, as [\"adm\"]", Shapes.ACCOUNT),
                            "none",
                            "Groups it is in besides its own.",
                            "[\"adm\"]"),
                    Field.may(
                            "system",
                            Shapes.FLAG,
                            "false",
                            "True: a system account, with a number from that range.",
                            "true")),
            List.of());

    static final Struct SERVICE = resource(
            "service",
            "A unit that the machine has already: whether it runs, and whether it starts at boot.",
            List.of(
                    Field.must(
                            "unit",
                            Shapes.UNIT_NAME,
                            "The unit's name; `.service` is added where it has no suffix. `${…}` is replaced.",
                            "\"nginx\""),
                    Field.may(
                            "state",
                            new Choice(List.of("running", "stopped")),
                            "left as it is",
                            "Whether it runs.",
                            "\"running\""),
                    Field.may("enabled", Shapes.FLAG, "left as it is", "Whether it starts at boot.", "true")),
            List.of());

    static final List<Struct> RESOURCES = List.of(
            FILE,
            DIRECTORY,
            ARCHIVE,
            USER,
            SERVICE,
            resource("process", ProcessTable.DOC, ProcessTable.fields(SOURCE, DIGEST), ProcessTable.RULES));

    static final Struct ARTIFACT = new Struct(
            "artifact",
            "Something that the module's publisher builds.",
            List.of(
                    Field.must("name", Shapes.SOME, "What `artifact` of a resource calls it.", "\"app\""),
                    Field.may("kind", Shapes.SOME, "", "For the publisher: what is built.", "\"bundle\""),
                    Field.may("language", Shapes.SOME, "", "For the publisher: what it is written in.", "\"java\""),
                    Field.may(
                            "system",
                            Shapes.SOME,
                            "every system",
                            "The `ID` of os-release that it is for; elsewhere the resource is skipped.",
                            "\"debian\""),
                    Field.may("from", Shapes.SOME, "", "For the publisher: where it is built from.", "\"cmd/app\""),
                    Field.may("binary", Shapes.SOME, "", "For the publisher: the program's name.", "\"app\""),
                    SOURCE,
                    DIGEST),
            List.of(new Rule.Needs("source", "digest"), new Rule.Needs("digest", "source")));

    static final Struct BUILD = new Struct(
            "build",
            "What the publisher builds.",
            List.of(Field.may(
                    "artifacts",
                    ListOf.of("a list of artifacts", ARTIFACT),
                    "none",
                    "What it builds, one entry each.",
                    "[]")),
            List.of());

    static final Struct MODULE = new Struct(
            "manifest",
            "A module: a few resources that belong together. Alone in a file it speaks for its slug only.",
            List.of(
                    Field.must("module", Shapes.SOME, "The module's name.", "\"web\""),
                    Field.must("version", Shapes.SOME, "Its version; replaces `${version}`.", "\"1.4\""),
                    Field.must(
                            "slug",
                            Shapes.ID,
                            "What its resources' full ids begin with, unique in a declaration; replaces `${slug}`.",
                            "\"web\""),
                    Field.may("build", BUILD, "", "What the publisher builds.", "{\"artifacts\": []}"),
                    Field.must(
                            "resources",
                            ListOf.of("a list of resources", new ByType(RESOURCES)),
                            "What the machine should have, in this order.",
                            "[]")),
            List.of());

    static final Struct WHOLE = new Struct(
            "declaration",
            "Everything a machine should be: what it does not name any more is taken away.",
            List.of(
                    Field.may("node", Shapes.SOME, "any machine", "The machine that it is for.", "\"box1\""),
                    Field.may(
                            "serial",
                            new Whole("a whole number from 0", 0, Long.MAX_VALUE),
                            "",
                            "Counts up; a smaller one than was applied last is refused.",
                            "7"),
                    Field.must("modules", ListOf.of("a list of manifests", MODULE), "The manifests, in order.", "[]")),
            List.of());

    private static Struct resource(String type, String doc, List<Field> own, List<Rule> rules) {
        ListOf references = ListOf.of("a list of ids", Shapes.REFERENCE);
        Text typeWord = Text.of(type, type);
        List<Field> fields = new ArrayList<>(List.of(
                Field.must("id", Shapes.ID, "Its name in the module; the full id is `slug/id`.", "\"config\""),
                Field.must("type", typeWord, "What it is.", '"' + type + '"'),
                Field.may("after", references, "none", "Resources that must be in place first.", "[\"user\"]"),
                Field.may(
                        "restart_on",
                        references,
                        "none",
                        "Resources whose change restarts this one; they come first, too.",
                        "[\"config\"]")));
        fields.addAll(own);
        return new Struct(type, doc, List.copyOf(fields), rules);
    }
}
