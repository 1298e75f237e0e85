package io.meshhost.declaration;

import io.meshhost.machine.services.ProcessSpec;
import io.meshhost.machine.services.Schedule;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** One thing that a machine should have (SPEC 2). Paths are as declared: absolute and normal, not yet under a root. */
public sealed interface Resource {
    Head head();

    /** The word of the declaration's {@code type}. */
    String type();

    /** What it owns on the machine, unique per {@code type} family: a path, a unit, a process or account name. */
    String target();

    default String id() {
        return head().id();
    }

    /**
     * @param mode 0 to 07777; empty: kept, or 0644 for a new file
     * @param owner name or number; empty: kept, or root for a new file
     */
    record FileResource(
            Head head,
            Path path,
            OptionalInt mode,
            Optional<String> owner,
            Optional<String> group,
            boolean secret,
            Content content)
            implements Resource {
        @Override
        public String type() {
            return "file";
        }

        @Override
        public String target() {
            return path.toString();
        }
    }

    /** What a file says. */
    sealed interface Content {
        /**
         * {@code content}, literal, or {@code template} with its names already replaced.
         *
         * @param sha256 of its UTF-8 bytes: every reconcile asks for it, and the text does not change
         */
        record Text(String text, String sha256) implements Content {
            public Text(String text) {
                this(text, TextDigest.of(text));
            }
        }

        /** {@code source} and {@code digest}. */
        record Fetched(Bytes bytes) implements Content {}
    }

    /** Bytes to be had from somewhere, known by their digest. */
    sealed interface Bytes {
        /**
         * @param source an absolute path as {@code file:} URI, {@code http:}, {@code https:} or {@code oci:}
         * @param sha256 64 lower-case hex digits
         */
        record Published(URI source, String sha256) implements Bytes {}

        /** An artifact of {@code build.artifacts} without {@code source}: fails at apply unless a file is given for it. */
        record Unpublished(String artifact) implements Bytes {}

        /** A file given on the command line with {@code --artifact NAME=PATH}. */
        record Given(String artifact, Path file) implements Bytes {}

        /** An artifact built for another system (os-release's ID): the resource is skipped. */
        record OtherSystem(String artifact, String system) implements Bytes {}
    }

    record DirectoryResource(Head head, Path path, OptionalInt mode, Optional<String> owner, Optional<String> group)
            implements Resource {
        @Override
        public String type() {
            return "directory";
        }

        @Override
        public String target() {
            return path.toString();
        }
    }

    /**
     * @param strip leading path elements to drop from every entry, as tar's --strip-components
     */
    record ArchiveResource(Head head, Path path, int strip, Bytes bytes) implements Resource {
        @Override
        public String type() {
            return "archive";
        }

        @Override
        public String target() {
            return path.toString();
        }
    }

    record UserResource(
            Head head,
            String name,
            OptionalInt uid,
            Optional<Path> home,
            Optional<Path> shell,
            List<String> groups,
            boolean system)
            implements Resource {
        @Override
        public String type() {
            return "user";
        }

        @Override
        public String target() {
            return name;
        }
    }

    /**
     * @param unit with its suffix ({@code .service} is added where none is given)
     */
    record ServiceResource(Head head, String unit, Optional<Boolean> running, Optional<Boolean> enabled)
            implements Resource {
        @Override
        public String type() {
            return "service";
        }

        @Override
        public String target() {
            return unit;
        }
    }

    /**
     * @param run the words as declared, {@code run[0]} not yet looked for
     * @param timeout of a step; default 1 h
     */
    record ProcessResource(
            Head head,
            String name,
            Bytes bytes,
            List<String> run,
            Map<String, EnvValue> env,
            List<Path> envFiles,
            Optional<String> user,
            Optional<Schedule> schedule,
            boolean runOnce,
            Optional<Duration> timeout,
            ProcessSpec.Limits limits,
            ProcessSpec.Sandbox sandbox,
            Optional<Health> health)
            implements Resource {
        @Override
        public String type() {
            return "process";
        }

        @Override
        public String target() {
            return name;
        }
    }

    /** A secret is never shown: plan, record, history, status and logs carry its keyed digest only. */
    record EnvValue(String text, boolean secret) {
        @Override
        public String toString() {
            return secret ? "EnvValue[secret]" : "EnvValue[" + text + "]";
        }
    }

    /** How to tell that a process works; asked every {@code interval} until it answers or {@code timeout} has passed. */
    record Health(Check check, Duration interval, Duration timeout) {
        /** One way of asking. */
        public sealed interface Check {
            /** Any answer from 200 to 399. */
            record Http(URI url) implements Check {}

            /** A unix socket that accepts a connection. */
            record Socket(Path path) implements Check {}

            /** A command that ends with 0; looked for as {@code run} is, in the process's directory. */
            record Command(List<String> argv) implements Check {}
        }
    }
}
