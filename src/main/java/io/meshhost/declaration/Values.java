package io.meshhost.declaration;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values from text that has its shape already. */
final class Values {
    private static final Pattern DURATION =
            Pattern.compile("(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?(?:([0-9]+)ms)?");
    private static final int LONGEST_NAME = 255;
    private static final int LONGEST_PATH = 4095;

    private Values() {}

    static OptionalInt mode(Fields fields) {
        return fields.text("mode")
                .map(digits -> OptionalInt.of(Integer.parseInt(digits, 8)))
                .orElse(OptionalInt.empty());
    }

    /** The path, its names replaced, absolute and normal; empty where it is absent or a fault was said. */
    static Optional<Path> path(Fields fields, String name, Scope scope) {
        return fields.scalar(name).flatMap(scalar -> path(scalar, name, scope));
    }

    static Optional<Path> path(Node.Scalar scalar, String name, Scope scope) {
        Optional<String> replaced = scope.replaced(scalar);
        if (replaced.isEmpty()) {
            return Optional.empty();
        }
        String text = replaced.get();
        String wrong = wrongInPath(text);
        if (!wrong.isEmpty()) {
            scope.faults().add(scalar.place(), name + " " + Words.quoted(text) + " " + wrong);
            return Optional.empty();
        }
        return Optional.of(Path.of(text));
    }

    /** What is wrong with a path, to follow it in a sentence; "" where nothing is. */
    static String wrongInPath(String text) {
        if (!text.startsWith("/")) {
            return "is not absolute; begin it with /";
        }
        if (text.indexOf('\0') >= 0) {
            return "holds a NUL byte; remove it";
        }
        if (text.length() > 1 && text.endsWith("/")) {
            return "ends with a slash; write it without";
        }
        for (String step : text.substring(1).split("/", -1)) {
            if (step.isEmpty() && text.length() > 1) {
                return "holds //; write one slash";
            }
            if (step.equals(".") || step.equals("..")) {
                return "holds " + step + " as a step; write the path without it";
            }
            if (step.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
                return "has a step of more than " + LONGEST_NAME + " bytes, which no file system takes; shorten it";
            }
        }
        return text.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH
                ? "is longer than " + LONGEST_PATH + " bytes; shorten it"
                : "";
    }

    static Optional<Duration> duration(Fields fields, String name, Faults faults) {
        Optional<Node.Scalar> scalar = fields.scalar(name);
        if (scalar.isEmpty()) {
            return Optional.empty();
        }
        Matcher parts = DURATION.matcher(scalar.get().text());
        if (!parts.matches()) {
            throw new IllegalStateException("a duration was not held against its shape");
        }
        Duration duration = Duration.ofHours(number(parts.group(1)))
                .plusMinutes(number(parts.group(2)))
                .plusSeconds(number(parts.group(3)))
                .plusMillis(number(parts.group(4)));
        if (duration.isZero()) {
            faults.add(scalar.get().place(), name + " is no time at all; write at least \"1s\"");
            return Optional.empty();
        }
        return Optional.of(duration);
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /** Bytes; empty where it is absent or a fault was said. */
    static Optional<Long> size(Fields fields, String name, Faults faults) {
        Optional<Node.Scalar> scalar = fields.scalar(name);
        if (scalar.isEmpty()) {
            return Optional.empty();
        }
        String text = scalar.get().text();
        int unit = "KMGT".indexOf(text.charAt(text.length() - 1)) + 1;
        BigInteger bytes = Checker.number(scalar.get())
                .map(BigDecimal::toBigInteger)
                .orElseGet(() ->
                        new BigInteger(unit > 0 ? text.substring(0, text.length() - 1) : text).shiftLeft(10 * unit));
        if (bytes.signum() == 0 || bytes.bitLength() > 63) {
            faults.add(
                    scalar.get().place(),
                    name + " " + Words.quoted(text)
                            + (bytes.signum() == 0 ? " is nothing" : " is more than there can be")
                            + "; write a size, as \"512M\"");
            return Optional.empty();
        }
        return Optional.of(bytes.longValueExact());
    }

    /** 64 lower-case hex digits. */
    static String digest(String text) {
        String bare = text.strip().toLowerCase(Locale.ROOT);
        return bare.startsWith("sha256:") ? bare.substring("sha256:".length()).strip() : bare;
    }

    /**
     * A zone by its name in the tz database. Offsets and POSIX rules ({@code UTC0}) are refused: systemd takes none of
     * them after a calendar expression and drops the whole line.
     */
    static Optional<ZoneId> zone(Node.Scalar scalar, Faults faults) {
        String name = scalar.text();
        if (ZoneId.getAvailableZoneIds().contains(name) && !name.startsWith("SystemV/")) {
            try {
                return Optional.of(ZoneId.of(name));
            } catch (DateTimeException e) {
                // Known and yet unusable: refused below like any other.
                faults.add(scalar.place(), "timezone " + Words.quoted(name) + " has no rules here: " + e.getMessage());
                return Optional.empty();
            }
        }
        String found = name.isEmpty() ? "timezone is empty" : "timezone " + Words.quoted(name) + " is not known";
        faults.add(
                scalar.place(), found + "; write a Region/City of the tz database, as \"Europe/Berlin\", or \"UTC\"");
        return Optional.empty();
    }
}
