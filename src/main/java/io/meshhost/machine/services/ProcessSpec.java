package io.meshhost.machine.services;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * A process as a supervisor must know it: everything resolved, nothing left to look up.
 *
 * @param name unit name without suffix
 * @param argv the first word is absolute; words are bytes as UTF-8 text without NUL, literal
 * @param directory working directory, the unpacked bundle
 * @param environment literal values; secrets are not in it
 * @param secrets values that must reach the process but no unit, plan, log or record: they go into
 *     {@code secretFile}, root-only, 0600
 * @param environmentFiles files of KEY=VALUE read at each start; they win over {@code environment}
 * @param user account name or number; empty: the supervisor's own
 * @param schedule empty: a daemon, kept up; else started at these times only
 * @param step run to completion once, never kept or enabled
 * @param timeout of a step or of a scheduled run; empty: none for a scheduled run
 */
public record ProcessSpec(
        String name,
        String description,
        List<String> argv,
        Path directory,
        SortedMap<String, String> environment,
        SortedMap<String, String> secrets,
        Optional<Path> secretFile,
        List<Path> environmentFiles,
        Optional<String> user,
        Optional<Schedule> schedule,
        boolean step,
        Optional<Duration> timeout,
        Limits limits,
        Sandbox sandbox) {

    /** Resource limits; memory in bytes, cpu in cores (1.5 is 150 %), files as RLIMIT_NOFILE. */
    public record Limits(OptionalLong memory, OptionalDouble cpu, OptionalLong tasks, OptionalLong files) {
        public static Limits none() {
            return new Limits(OptionalLong.empty(), OptionalDouble.empty(), OptionalLong.empty(), OptionalLong.empty());
        }
    }

    /** How far the process is fenced in; the directives of each are in docs/declaration.md. */
    public enum Sandbox {
        NONE,
        STANDARD,
        STRICT
    }
}
