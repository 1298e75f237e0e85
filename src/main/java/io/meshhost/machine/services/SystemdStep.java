package io.meshhost.machine.services;

import io.meshhost.machine.Commands;
import io.meshhost.machine.Commands.Command;
import io.meshhost.machine.Commands.Result;
import io.meshhost.machine.Files;
import io.meshhost.machine.Files.Attributes;
import io.meshhost.machine.services.Services.StepResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One run of a step as a unit of its own, so that user, environment, directory, limits and sandbox are a
 * daemon's. The unit lies under /run and is gone afterwards: it cannot be enabled and no boot finds it.
 *
 * <p>What the step prints goes to the journal, which bounds it, not to a file, which could fill /run.
 */
final class SystemdStep {
    private static final Path RUN = Path.of("/run/systemd/system");
    /** Time for systemd to end a step that does not heed SIGTERM (TimeoutStopSec=, 90 s). */
    private static final Duration GRACE = Duration.ofMinutes(3);

    private final SystemdServices systemd;
    private final Commands commands;
    private final Files files;

    SystemdStep(SystemdServices systemd, Commands commands, Files files) {
        this.systemd = systemd;
        this.commands = commands;
        this.files = files;
    }

    StepResult run(ProcessSpec declared, Duration timeout) {
        ProcessSpec spec = timed(declared, timeout);
        String unit = "mesh-step-" + spec.name() + ".service";
        Path file = RUN.resolve(unit);
        if (files.stat(file).isPresent()) {
            // A host that was killed left its step running; a second beside it could do double work.
            end(unit, file, spec);
        }
        String mark = spec.name() + "-" + Long.toHexString(System.nanoTime());
        try {
            spec.secretFile().ifPresent(secret -> write(secret, UnitText.secrets(spec.secrets()), 0600));
            // By this mark its lines are found: the journal does not always know whose run a line of a process was
            // that ended at once, but it knows what the line was to be called.
            write(file, UnitText.service(spec) + "SyslogIdentifier=" + mark + "\n", 0644);
            files.sync();
            if (property(unit, "NeedDaemonReload").equals("yes")) {
                systemd.reload();
            }
            Result started =
                    commands.run(Command.of("systemctl", "start", "--", unit).within(timeout.plus(GRACE)));
            return result(unit, mark, started);
        } finally {
            end(unit, file, spec);
        }
    }

    private void write(Path path, String text, int mode) {
        files.write(path, text.getBytes(StandardCharsets.UTF_8), Attributes.mode(mode));
    }

    /** The unit remains after the exit (RemainAfterExit=) until this has read what became of it. */
    private StepResult result(String unit, String mark, Result started) {
        Map<String, String> end = SystemdShow.properties(systemd.systemctl(
                        List.of("show", "--property=Result,ExecMainCode,ExecMainStatus,InvocationID", "--", unit))
                .out());
        List<String> lines = systemd.journal(List.of("--identifier=" + mark));
        if (started.ok()) {
            return new StepResult(0, false, lines);
        }
        String invocation = end.getOrDefault("InvocationID", "");
        if (lines.isEmpty() && !invocation.isEmpty()) {
            // It never came to say anything itself: systemd's own lines tell why.
            lines = systemd.journal(
                    List.of("INVOCATION_ID=" + invocation, "+", "_SYSTEMD_INVOCATION_ID=" + invocation));
        }
        return new StepResult(
                status(end),
                end.getOrDefault("Result", "").equals("timeout"),
                lines.isEmpty() ? started.err().lines().toList() : lines);
    }

    /** As a shell counts: systemd tells the code of waitid(2), 2 and 3 for a signal. Never 0 for a failure. */
    private static int status(Map<String, String> end) {
        String digits = end.getOrDefault("ExecMainStatus", "");
        int number = digits.matches("[0-9]{1,3}") ? Integer.parseInt(digits) : 0;
        boolean signal = !end.getOrDefault("ExecMainCode", "").equals("1");
        if (number == 0) {
            return 1;
        }
        return signal ? 128 + number : number;
    }

    private String property(String unit, String name) {
        return systemd.systemctl(List.of("show", "--value", "--property=" + name, "--", unit))
                .out()
                .strip();
    }

    private void end(String unit, Path file, ProcessSpec spec) {
        systemd.stop(unit);
        files.delete(file);
        spec.secretFile().ifPresent(files::delete);
        files.sync();
        systemd.forget(unit);
    }

    private static ProcessSpec timed(ProcessSpec spec, Duration timeout) {
        return new ProcessSpec(
                spec.name(),
                spec.description(),
                spec.argv(),
                spec.directory(),
                spec.environment(),
                spec.secrets(),
                spec.secretFile(),
                spec.environmentFiles(),
                spec.user(),
                Optional.empty(),
                true,
                Optional.of(timeout),
                spec.limits(),
                spec.sandbox());
    }
}
