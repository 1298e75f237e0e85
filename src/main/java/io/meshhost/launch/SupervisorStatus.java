package io.meshhost.launch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the supervisor says of itself: {@code supervisor.json}, and the answer to {@code status} on its socket. Flat, so
 * that it can be read without a mapper.
 *
 * @param state starting, running, waiting, rolling back, stopping, halted or stopped
 * @param since RFC 3339, when that began
 * @param pid of the supervisor
 * @param host in words
 * @param version null: the host was placed by hand
 * @param arrival of that version; empty: none is recorded
 * @param why that one
 * @param child pid of the host, 0 when there is none
 * @param childStarted clock ticks after boot, field 22 of proc_pid_stat(5)
 * @param boot /proc/sys/kernel/random/boot_id
 * @param failures in a row
 * @param lastFailure in words, with its time
 * @param next RFC 3339, when it is tried again
 * @param then what happens then
 * @param reason of a halt
 * @param notes what is wrong with its files
 */
public record SupervisorStatus(
        String state,
        String since,
        long pid,
        @Nullable String host,
        @Nullable String version,
        @Nullable String program,
        OptionalLong arrival,
        @Nullable String why,
        long child,
        long childStarted,
        String boot,
        int failures,
        @Nullable String lastFailure,
        @Nullable String next,
        @Nullable String then,
        @Nullable String reason,
        List<String> notes) {

    private static final JsonFactory JSON = new JsonFactory();

    String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            out.writeStringField("state", state);
            out.writeStringField("since", since);
            out.writeNumberField("pid", pid);
            optional(out, "host", host);
            optional(out, "version", version);
            optional(out, "program", program);
            if (arrival.isPresent()) {
                out.writeNumberField("arrival", arrival.getAsLong());
            }
            optional(out, "why", why);
            out.writeNumberField("child", child);
            out.writeNumberField("childStarted", childStarted);
            out.writeStringField("boot", boot);
            out.writeNumberField("failures", failures);
            optional(out, "lastFailure", lastFailure);
            optional(out, "next", next);
            optional(out, "then", then);
            optional(out, "reason", reason);
            out.writeFieldName("notes");
            out.writeArray(notes.toArray(String[]::new), 0, notes.size());
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory cannot fail", e);
        }
        return text + "\n";
    }

    private static void optional(JsonGenerator out, String name, @Nullable String value) throws IOException {
        if (value != null) {
            out.writeStringField(name, value);
        }
    }

    /** Who ran when that was written; empty where it cannot be read. */
    static Optional<Last> last(Optional<String> text) {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser in = JSON.createParser(text.orElse("{}"))) {
            for (JsonToken token = in.nextToken(); token != null; token = in.nextToken()) {
                if (token.isScalarValue() && token != JsonToken.VALUE_NULL && in.currentName() != null) {
                    fields.put(in.currentName(), in.getText());
                }
            }
            return Optional.of(new Last(
                    // A path is made of it; a damaged file names none.
                    Optional.ofNullable(fields.get("version")).filter(Version::possible),
                    Optional.ofNullable(fields.get("program")),
                    fields.containsKey("arrival")
                            ? OptionalLong.of(Long.parseLong(fields.get("arrival")))
                            : OptionalLong.empty(),
                    Integer.parseInt(fields.getOrDefault("failures", "0")),
                    Integer.parseInt(fields.getOrDefault("child", "0")),
                    Long.parseLong(fields.getOrDefault("childStarted", "0")),
                    fields.getOrDefault("boot", "")));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * A host of an earlier supervisor: with pid, start and boot it is known beyond doubt.
     *
     * @param arrival of the version; empty: none was recorded
     * @param failures in a row, its own ones
     */
    record Last(
            Optional<String> version,
            Optional<String> program,
            OptionalLong arrival,
            int failures,
            int child,
            long started,
            String boot) {}
}
