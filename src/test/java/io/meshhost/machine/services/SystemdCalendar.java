package io.meshhost.machine.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.meshhost.testing.Needs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What systemd makes of calendar expressions, asked of systemd-analyze(1). */
final class SystemdCalendar {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final int ONE_CALL = 1000;

    private SystemdCalendar() {}

    /** A few calls for many lines: the next elapse of each after the start, in order, in UTC. */
    static List<Optional<ZonedDateTime>> next(List<String> lines, ZonedDateTime start)
            throws IOException, InterruptedException {
        String base = TIME.format(start.withZoneSameInstant(ZoneOffset.UTC)) + " UTC";
        List<Optional<ZonedDateTime>> times = new ArrayList<>();
        for (int from = 0; from < lines.size(); from += ONE_CALL) {
            List<String> argv = new ArrayList<>(
                    List.of(Needs.command("systemd-analyze").toString(), "calendar", "--base-time=" + base));
            argv.addAll(lines.subList(from, Math.min(lines.size(), from + ONE_CALL)));
            output(argv)
                    .lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith("Next elapse:"))
                    .forEach(line -> times.add(time(line)));
        }
        assertThat(times).hasSameSizeAs(lines);
        return times;
    }

    private static Optional<ZonedDateTime> time(String line) {
        String[] words = line.split(" +", -1);
        return words[2].equals("never")
                ? Optional.empty()
                : Optional.of(
                        LocalDateTime.parse(words[3] + " " + words[4], TIME).atZone(ZoneOffset.UTC));
    }

    private static String output(List<String> argv) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(argv);
        builder.environment().put("TZ", "UTC");
        builder.environment().put("LC_ALL", "C.UTF-8");
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return out;
    }
}
