package io.meshhost.machine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs other programs; the only door to exec. Arguments go as they are: no shell is ever between. */
public interface Commands {
    /**
     * Runs to the end and gives what it printed.
     *
     * @throws MachineFailure when it cannot be started, or ran into its time-out (it is then killed,
     *     its descendants too). A non-zero status is no failure here: the caller knows what it means.
     */
    Result run(Command command);

    /** Where a bare name is found in the usual system directories, not by the caller's PATH. */
    Optional<Path> find(String name);

    /** As {@link #run}, a status other than 0 being a {@link MachineFailure} that quotes stderr's last line. */
    default Result mustRun(Command command) {
        Result result = run(command);
        if (result.status() != 0) {
            throw new MachineFailure("cannot run " + command.shown() + ": " + result.lastWords());
        }
        return result;
    }

    /** What to run. The environment given is added to PATH, LC_ALL=C.UTF-8 and nothing else of ours. */
    record Command(
            List<String> argv,
            Map<String, String> environment,
            Optional<Path> directory,
            Duration timeout,
            Optional<String> input) {
        public static Command of(String... argv) {
            return new Command(List.of(argv), Map.of(), Optional.empty(), Duration.ofSeconds(90), Optional.empty());
        }

        /** The words for an error, no longer than a line or two. */
        public String shown() {
            String line = String.join(" ", argv);
            return line.length() <= 200 ? line : line.substring(0, 200) + "...";
        }

        public Command within(Duration limit) {
            return new Command(argv, environment, directory, limit, input);
        }

        public Command fed(String text) {
            return new Command(argv, environment, directory, timeout, Optional.of(text));
        }
    }

    /** Status as a shell counts it (128 + n for a signal); output decoded as UTF-8, each at most 8 MiB. */
    record Result(int status, String out, String err) {
        public boolean ok() {
            return status == 0;
        }

        /** The last line of stderr that is not blank, else the status in words. */
        public String lastWords() {
            return err.lines()
                    .filter(line -> !line.isBlank())
                    .reduce((first, second) -> second)
                    .map(String::strip)
                    .orElse("it ended with status " + status);
        }
    }
}
