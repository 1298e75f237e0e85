package io.meshhost.machine.testing;

import io.meshhost.machine.Commands;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;

/** Programs as a test scripts them. What was not scripted is refused, so that no command goes unnoticed. */
public final class FakeCommands implements Commands {
    private final Map<Predicate<List<String>>, Function<Command, Result>> answers = new LinkedHashMap<>();
    private final List<Command> ran = new CopyOnWriteArrayList<>();

    /** Answers exactly this command line with status 0; a later answer for the same words wins. */
    public FakeCommands on(String commandLine, String out) {
        return on(commandLine, new Result(0, out, ""));
    }

    /** Words are split at single spaces. */
    public synchronized FakeCommands on(String commandLine, Result result) {
        List<String> argv = List.of(commandLine.split(" ", -1));
        answers.put(argv::equals, command -> result);
        return this;
    }

    /** Answers every command line that begins with these words. */
    public synchronized FakeCommands onAny(String firstWords, Function<Command, Result> answer) {
        List<String> words = List.of(firstWords.split(" ", -1));
        answers.put(
                argv -> argv.size() >= words.size()
                        && argv.subList(0, words.size()).equals(words),
                answer);
        return this;
    }

    @Override
    public Result run(Command command) {
        ran.add(command);
        Function<Command, Result> answer;
        synchronized (this) {
            answer = answers.entrySet().stream()
                    .filter(entry -> entry.getKey().test(command.argv()))
                    .reduce((first, second) -> second)
                    .map(Map.Entry::getValue)
                    .orElseThrow(() -> new AssertionError("nobody scripted: " + String.join(" ", command.argv())));
        }
        return answer.apply(command);
    }

    @Override
    public Optional<Path> find(String name) {
        return Optional.of(Path.of("/usr/bin", name));
    }

    /** All that ran, in order, each as one line. */
    public List<String> lines() {
        return ran.stream().map(command -> String.join(" ", command.argv())).toList();
    }

    public List<Command> ran() {
        return List.copyOf(ran);
    }
}
