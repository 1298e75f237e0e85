package io.meshhost.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** The help texts, word for word: {@code -Dgolden.update=true} writes them anew, and the diff is what a review reads. */
class HelpTest {
    private static final Path GOLDEN = Path.of("src/test/resources/help");

    private static CommandLine line(StringWriter out) {
        PrintWriter writer = new PrintWriter(out, true);
        Console console = new Console(writer, writer, false, false);
        return Top.commandLine(
                new World(console, choices -> new FakeHost(Path.of("/nowhere")), Clock.systemUTC(), "1.2.3"));
    }

    static Stream<String> commands() {
        List<String> all =
                new ArrayList<>(line(new StringWriter()).getSubcommands().keySet());
        all.remove("help");
        all.addFirst("");
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theHelpIsAsReviewed(String command) throws IOException {
        StringWriter out = new StringWriter();
        String[] args = command.isEmpty() ? new String[] {"--help"} : new String[] {command, "--help"};
        assertThat(line(out).execute(args)).isZero();
        Path golden = GOLDEN.resolve((command.isEmpty() ? "nox-mesh-host" : command) + ".txt");
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(golden, out.toString());
        }
        assertThat(golden).hasContent(out.toString());
        assertThat(out.toString()).contains("Example");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyOptionSaysWhatItDoes(String command) {
        CommandLine top = line(new StringWriter());
        CommandLine commandLine = command.isEmpty()
                ? top
                : java.util.Objects.requireNonNull(top.getSubcommands().get(command));
        assertThat(commandLine.getCommandSpec().args())
                .extracting(ArgSpec::description)
                .allSatisfy(text -> assertThat(text).isNotEmpty());
    }
}
