package io.meshhost.apply;

import io.meshhost.apply.ProcessProgram.Answer;
import io.meshhost.declaration.Resource.Health;
import io.meshhost.machine.ExpectedFailure;
import io.meshhost.machine.OwnSocket;
import io.meshhost.machine.services.ProcessSpec;
import io.meshhost.machine.services.Services.StepResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks a process whether it works, once a call, in one of three ways (SPEC 2, {@code health}). */
final class ProcessHealth implements AutoCloseable {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int BAD = 400;

    private final Work work;
    private final ProcessWanted process;
    private Optional<HttpClient> client = Optional.empty();

    ProcessHealth(Work work, ProcessWanted process) {
        this.work = work;
        this.process = process;
    }

    /**
     * Empty when it is well, else a clause that says what happened.
     *
     * @param left no longer than this is waited for the answer
     */
    Optional<String> ask(Health health, Duration left) {
        Duration within = left.compareTo(LONGEST) > 0 ? LONGEST : left.compareTo(SHORTEST) < 0 ? SHORTEST : left;
        return switch (health.check()) {
            case Health.Check.Http http -> http(http.url(), within);
            case Health.Check.Socket socket -> socket(socket.path());
            case Health.Check.Command command -> command(command.argv(), within);
        };
    }

    private Optional<String> http(URI url, Duration within) {
        HttpClient http = client.orElseGet(
                () -> HttpClient.newBuilder().followRedirects(Redirect.NEVER).build());
        client = Optional.of(http);
        HttpRequest request = HttpRequest.newBuilder(url).timeout(within).GET().build();
        try {
            // The status is the answer. The body is closed unread: one that never ends must not hold the apply.
            HttpResponse<InputStream> answer = http.send(request, BodyHandlers.ofInputStream());
            answer.body().close();
            boolean well = answer.statusCode() >= OK && answer.statusCode() < BAD;
            return well ? Optional.empty() : Optional.of(url + " answered " + answer.statusCode());
        } catch (IOException e) {
            return Optional.of(url + " gave no answer (" + reason(e) + ")");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(url + " was not asked to the end");
        }
    }

    private Optional<String> socket(Path declared) {
        Path path = work.places().real(declared);
        try {
            OwnSocket.connect(path).close();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(path + " accepted no connection (" + reason(e) + ")");
        }
    }

    private static String reason(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    /**
     * As the process itself would run it: same user, environment and directory. The process may write into its
     * own bundle, so root must not run what lies there.
     */
    private Optional<String> command(List<String> argv, Duration within) {
        ProcessSpec spec = process.spec();
        Answer answer = new ProcessProgram(spec.directory(), process.entries(), work.commands()).find(argv.getFirst());
        return switch (answer) {
            case Answer.None none -> Optional.of(none.sentence());
            case Answer.At at -> run(spec, at.path(), argv, within);
        };
    }

    private Optional<String> run(ProcessSpec spec, Path program, List<String> argv, Duration within) {
        List<String> words = new ArrayList<>(argv);
        words.set(0, program.toString());
        try {
            StepResult result = work.services().runStep(asStep(spec, words, within), within);
            if (result.ok()) {
                return Optional.empty();
            }
            return Optional.of(String.join(" ", argv)
                    + (result.timedOut() ? " had not ended" : " ended with status " + result.status()));
        } catch (ExpectedFailure failure) {
            return Optional.of(failure.sentence());
        }
    }

    private static ProcessSpec asStep(ProcessSpec spec, List<String> argv, Duration within) {
        return new ProcessSpec(
                spec.name() + ".health",
                spec.description() + " (health)",
                List.copyOf(argv),
                spec.directory(),
                spec.environment(),
                spec.secrets(),
                // A name of its own: the secrets of a step go when it ends, those of the daemon must stay.
                spec.secretFile().map(file -> file.resolveSibling(spec.name() + ".health.env")),
                spec.environmentFiles(),
                spec.user(),
                Optional.empty(),
                true,
                Optional.of(within),
                spec.limits(),
                spec.sandbox());
    }

    @Override
    public void close() {
        client.ifPresent(HttpClient::shutdownNow);
    }
}
