package io.meshhost.declaration;

import io.meshhost.declaration.Shape.Either;
import io.meshhost.declaration.Shape.Field;
import io.meshhost.declaration.Shape.ListOf;
import io.meshhost.declaration.Shape.Rule;
import java.util.List;

/** The fields of a process, the largest part of the {@link Table}. */
final class ProcessTable {
    private ProcessTable() {}

    static final String DOC =
            "A program from a bundle, kept running, run on a schedule, or run once, by the machine's supervisor.";

    static final List<Rule> RULES = List.of(
            new Rule.NotBoth("run_once", "schedule", "run_once and schedule exclude each other; remove one"),
            new Rule.NotBoth(
                    "health",
                    "schedule",
                    "health is for a daemon that stays up, not for a schedule; remove one of them"),
            new Rule.NotBoth(
                    "health", "run_once", "health is for a daemon that stays up, not for a step; remove one of them"),
            new Rule.Needs("timezone", "schedule"));

    static List<Field> fields(Field source, Field digest) {
        return List.of(
                Field.must(
                        "name",
                        Shapes.PROCESS_NAME,
                        "Name of its unit, without suffix, and of its directory. `${…}` is replaced.",
                        "\"web\""),
                Field.must("source", source.shape(), source.doc(), source.example()),
                Field.must("digest", digest.shape(), digest.doc(), digest.example()),
                Field.must(
                        "run",
                        Shapes.COMMAND,
                        "The command and its arguments, literal. The first word: absolute, the machine's; with a "
                                + "slash or found in the bundle's root, the bundle's; else looked for in the usual "
                                + "system directories.",
                        "[\"bin/web\", \"--port\", \"8080\"]"),
                Field.may(
                        "env",
                        Shapes.ENV,
                        "none",
                        "Environment variables, literal. A value is text, or `{\"secret\": TEXT}`. A number or boolean "
                                + "is taken as written where every reader writes it alike.",
                        "{\"PORT\": \"8080\", \"TOKEN\": {\"secret\": \"s3cr3t\"}}"),
                Field.may(
                        "env_file",
                        new Either(
                                "a path or a list of paths",
                                Shapes.PATH,
                                ListOf.of("a list of absolute paths", Shapes.PATH)),
                        "none",
                        "Files of NAME=VALUE lines, read at each start; they win over `env`. `${…}` is replaced.",
                        "[\"/etc/web/env\"]"),
                Field.may("user", Shapes.ACCOUNT, "the host's own, root", "The account it runs as.", "\"web\""),
                Field.may(
                        "schedule",
                        Shapes.SOME,
                        "kept running",
                        "When it runs: five cron fields, or @hourly, @daily, @weekly, @monthly, @yearly.",
                        "\"*/5 * * * *\""),
                Field.may(
                        "timezone",
                        Shapes.ANY,
                        "the machine's",
                        "The zone in which `schedule` is meant, as Region/City or UTC.",
                        "\"Europe/Berlin\""),
                Field.may("run_once", Shapes.FLAG, "false", "True: a step, run to its end once per change.", "true"),
                Field.may(
                        "timeout",
                        Shapes.DURATION,
                        "1h for a step, none for a scheduled run",
                        "After this time a step or a scheduled run is ended and has failed.",
                        "\"10m\""),
                Field.may("limits", Shapes.LIMITS, "none", "What it may use at most.", "{\"memory\": \"512M\"}"),
                Field.may("sandbox", Shapes.SANDBOX, "none", "How far it is fenced in; see below.", "\"standard\""),
                Field.may(
                        "health",
                        Shapes.HEALTH,
                        "started, and still up after 2 s",
                        "How to tell that a new version works; the old one comes back when it does not.",
                        "{\"http\": \"http://127.0.0.1:8080/healthz\"}"));
    }
}
