package io.meshhost.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The machine's own settings: option, environment, host.env, default, in that order (SPEC 0).
 *
 * <p>A bad value is said in {@link #complaints} and the default counts, except for the root: whoever asked for a scratch
 * root must never get the real machine instead. Nothing is looked for in the current directory.
 */
public final class Settings {
    /** sockaddr_un(7): 108 bytes with the closing NUL. */
    private static final int SOCKET_MAX = 107;

    private static final BigDecimal MOST_SECONDS = BigDecimal.valueOf(100_000_000);

    private final Map<String, String> environment;
    private final Map<Variable, String> options;
    private final Disk disk;
    private final Path root;
    private final HostEnv hostEnv;
    private final Set<String> complaints = new LinkedHashSet<>();

    /** What is read of the disk, so that a test can say what is there. */
    public interface Disk {
        /** Empty where there is no such file. */
        Optional<String> text(Path file);

        boolean exists(Path file);

        /** As {@link Trust#complaint}. */
        Optional<String> distrust(Path file);
    }

    /**
     * @param options as given on the command line, paths made absolute already
     * @param trustFile {@code --trust-file}: host.env is believed whoever owns it
     * @throws MachineFailure when the root is no absolute path, or host.env is not to be trusted or read
     */
    public Settings(Map<String, String> environment, Map<Variable, String> options, boolean trustFile, Disk disk) {
        this.environment = Map.copyOf(environment);
        this.options = Map.copyOf(options);
        this.disk = disk;
        this.root = rootOf();
        Path file = under(Path.of("/etc/mesh-host/host.env"));
        if (!trustFile) {
            disk.distrust(file).ifPresent(sentence -> {
                throw new MachineFailure(sentence);
            });
        }
        this.hostEnv = HostEnv.parse(file.toString(), disk.text(file).orElse(""));
        complaints.addAll(hostEnv.complaints());
    }

    /** From the real environment and disk. */
    public static Settings real(Map<Variable, String> options, boolean trustFile) {
        return new Settings(System.getenv(), options, trustFile, new RealDisk());
    }

    /** Where everything is; the control socket's length is not looked at, see {@link #socketFault}. */
    public Places places() {
        return new Places(
                root,
                place(Variable.STATE_DIR),
                place(Variable.DAEMONS_DIR),
                place(Variable.UNIT_DIR),
                place(Variable.LIBEXEC),
                place(Variable.CONTROL),
                declaration());
    }

    /** One of the directories or files of SPEC 0, under the root. */
    public Path place(Variable variable) {
        Path standard = under(Path.of(variable.standard()));
        return given(variable)
                .flatMap(value -> absolute(value).or(() -> {
                    said(value, "is not an absolute path without \"..\"", standard.toString());
                    return Optional.empty();
                }))
                .map(this::under)
                .orElse(standard);
    }

    /** Which of the two default files is there, or the one named; empty: none, or {@link #declarationFault}. */
    public Optional<Path> declaration() {
        Optional<Given> named = given(Variable.DECLARATION);
        if (named.isPresent()) {
            Optional<Path> path = absolute(named.get());
            if (path.isPresent()) {
                return path;
            }
            said(named.get(), "is not an absolute path without \"..\"", "the default");
        }
        List<Path> there = declarationPlaces().stream().filter(disk::exists).toList();
        return there.size() == 1 ? Optional.of(there.getFirst()) : Optional.empty();
    }

    /** The default files, there or not; for one who waits for one to appear. */
    public List<Path> declarationPlaces() {
        return List.of(
                under(Path.of("/etc/mesh-host/declaration.json")), under(Path.of("/etc/mesh-host/declaration.yaml")));
    }

    /** Said when both default files are there and none is named. */
    public Optional<String> declarationFault() {
        List<Path> both = declarationPlaces();
        boolean named = given(Variable.DECLARATION).flatMap(Settings::absolute).isPresent();
        if (named || !both.stream().allMatch(disk::exists)) {
            return Optional.empty();
        }
        return Optional.of("cannot choose a declaration: both " + both.getFirst() + " and " + both.getLast()
                + " are there; remove one, or set " + Variable.DECLARATION.variable());
    }

    /** Said by whoever is about to listen on, or connect to, the control socket. */
    public Optional<String> socketFault() {
        Path socket = place(Variable.CONTROL);
        int bytes = socket.toString().getBytes(UTF_8).length;
        return bytes <= SOCKET_MAX
                ? Optional.empty()
                : Optional.of("cannot use the control socket " + socket + ": its path has " + bytes
                        + " bytes and Linux allows " + SOCKET_MAX + "; set " + Variable.CONTROL.variable()
                        + " to a shorter one");
    }

    /** Seconds, decimals allowed; 0 is a time where {@link Variable.Form#SECONDS} is. */
    public Duration time(Variable variable) {
        Duration standard = Duration.ofSeconds(Long.parseLong(variable.standard()));
        boolean from1 = variable.form() == Variable.Form.SECONDS_FROM_1;
        return given(variable)
                .flatMap(value -> seconds(value)
                        .filter(time -> !from1 || time.compareTo(Duration.ofSeconds(1)) >= 0)
                        .or(() -> {
                            String want = from1 ? "a number of seconds from 1, as 600 or 1.5" : "a number of seconds";
                            said(value, "is not " + want, variable.standard());
                            return Optional.empty();
                        }))
                .orElse(standard);
    }

    /** A count of 1 or more. */
    public int count(Variable variable) {
        int standard = Integer.parseInt(variable.standard());
        return given(variable)
                .flatMap(value -> positive(value).or(() -> {
                    said(value, "is not a whole number from 1 to 999999", variable.standard());
                    return Optional.empty();
                }))
                .orElse(standard);
    }

    /** As it was given, empty where nobody did. */
    public Optional<String> text(Variable variable) {
        return given(variable).map(Given::value);
    }

    /** What is wrong with any setting, read yet or not, a sentence each, in the order found. */
    public List<String> complaints() {
        for (Variable variable : Variable.values()) {
            switch (variable.form()) {
                case PLACE -> place(variable);
                case SECONDS, SECONDS_FROM_1 -> time(variable);
                case COUNT -> count(variable);
                case OTHER -> {
                    // The root is refused when it is bad, an address to listen on by who would listen.
                }
            }
        }
        declaration();
        return List.copyOf(complaints);
    }

    private Path rootOf() {
        Given given = new Given(Variable.ROOT, "--root", options.getOrDefault(Variable.ROOT, ""));
        if (given.value().isEmpty()) {
            String name = Variable.ROOT.variable();
            given = new Given(Variable.ROOT, name, environment.getOrDefault(name, ""));
        }
        if (given.value().isEmpty()) {
            return Path.of("/");
        }
        Given asked = given;
        return absolute(given)
                .orElseThrow(() -> new MachineFailure("cannot use the root \"" + asked.value() + "\" of "
                        + asked.where() + ": it is not an absolute path without \"..\"; write the whole path"));
    }

    private Path under(Path path) {
        return root.getNameCount() == 0 || path.startsWith(root)
                ? path
                : root.resolve(Path.of("/").relativize(path));
    }

    /** An empty value is none, as for a shell's {@code ${X:-default}}. */
    private Optional<Given> given(Variable variable) {
        List<Given> sources = new ArrayList<>();
        sources.add(new Given(variable, "the option", options.getOrDefault(variable, "")));
        sources.add(new Given(variable, "the environment", environment.getOrDefault(variable.variable(), "")));
        sources.add(new Given(variable, hostEnv.name(), hostEnv.values().getOrDefault(variable.variable(), "")));
        return sources.stream().filter(given -> !given.value().isEmpty()).findFirst();
    }

    private void said(Given given, String fault, String used) {
        complaints.add(given.variable().variable() + " of " + given.where() + " is \"" + given.value() + "\", which "
                + fault + "; using " + used);
    }

    private static Optional<Path> absolute(Given given) {
        if (given.value().indexOf('\0') >= 0) {
            return Optional.empty();
        }
        Path path = Path.of(given.value());
        return path.isAbsolute() && path.equals(path.normalize()) ? Optional.of(path) : Optional.empty();
    }

    private static Optional<Duration> seconds(Given given) {
        if (!given.value().matches("[0-9]{1,9}(\\.[0-9]{1,9})?|\\.[0-9]{1,9}")) {
            return Optional.empty();
        }
        BigDecimal seconds = new BigDecimal(given.value());
        return seconds.compareTo(MOST_SECONDS) > 0
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(seconds.movePointRight(9).longValue()));
    }

    private static Optional<Integer> positive(Given given) {
        return given.value().matches("0*[1-9][0-9]{0,5}")
                ? Optional.of(Integer.parseInt(given.value()))
                : Optional.empty();
    }

    private record Given(Variable variable, String where, String value) {}

    private static final class RealDisk implements Disk {
        @Override
        public Optional<String> text(Path file) {
            try {
                return Files.exists(file)
                        ? Optional.of(new String(Looking.read(file.toRealPath(), 1 << 20), UTF_8))
                        : Optional.empty();
            } catch (IOException e) {
                throw new Failures(path -> "").of("read", file, e);
            }
        }

        @Override
        public boolean exists(Path file) {
            return Files.exists(file);
        }

        @Override
        public Optional<String> distrust(Path file) {
            return Trust.complaint(file);
        }
    }
}
