package io.meshhost.machine.services;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The values that one field of a cron expression allows.
 *
 * @param bits bit n is value n; weekdays are 0 (Sunday) to 6
 * @param star whether it begins with {@code *}, which makes a day field unrestricted however it goes on
 */
record CronField(Part part, long bits, boolean star) {
    /** The fields in their order, with what they allow. */
    enum Part {
        MINUTE("minute", 0, 59, List.of()),
        HOUR("hour", 0, 23, List.of()),
        DAY("day of month", 1, 31, List.of()),
        MONTH(
                "month",
                1,
                12,
                List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
        WEEKDAY("day of week", 0, 7, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat"));

        final String title;
        final int low;
        final int high;

        @SuppressWarnings("ImmutableEnumChecker") // always a List.of
        final List<String> names;

        Part(String title, int low, int high, List<String> names) {
            this.title = title;
            this.low = low;
            this.high = high;
            this.names = names;
        }

        String allowed() {
            String numbers = low + " to " + high;
            return names.isEmpty() ? numbers : numbers + " or " + names.getFirst() + " to " + names.getLast();
        }
    }

    boolean has(int value) {
        return (bits & 1L << value) != 0;
    }

    IntStream values() {
        return IntStream.rangeClosed(part.low, part.high).filter(this::has);
    }

    static CronField parse(Part part, String text) {
        long bits = 0;
        // The limit keeps empty items at the end, which are a fault ("1,").
        for (String item : text.split(",", -1)) {
            bits |= item(part, item);
        }
        return new CronField(part, bits, text.startsWith("*"));
    }

    private static long item(Part part, String item) {
        int slash = item.indexOf('/');
        String range = slash < 0 ? item : item.substring(0, slash);
        int dash = range.indexOf('-');
        int low = part.low;
        int high = part.high;
        if (dash >= 0) {
            low = value(part, range.substring(0, dash), item);
            high = end(part, low, value(part, range.substring(dash + 1), item), item);
        } else if (!range.equals("*")) {
            low = value(part, range, item);
            high = slash < 0 ? low : part.high;
        }
        int step = slash < 0 ? 1 : step(part, item.substring(slash + 1), high - low, item);
        long bits = 0;
        for (int at = low; at <= high; at += step) {
            bits |= 1L << (part == Part.WEEKDAY ? at % 7 : at);
        }
        return bits;
    }

    /** The last value of a range, counted on beyond the week where it runs over Sunday ("fri-mon"). */
    private static int end(Part part, int low, int high, String item) {
        if (low <= high) {
            return high;
        }
        if (part == Part.WEEKDAY) {
            return high + 7;
        }
        throw fault(
                part,
                "\"" + item + "\" runs backwards",
                "write it as " + low + "-" + part.high + "," + part.low + "-" + high);
    }

    /**
     * A step beyond its range would only ever give the first value: whoever writes it means something else
     * (every 60 minutes, say), and systemd refuses it too.
     */
    private static int step(Part part, String text, int width, String item) {
        int most = Math.max(1, width);
        int step = digits(text);
        if (step < 1 || step > most) {
            throw fault(
                    part,
                    "the step in \"" + item + "\" is out of range",
                    "write a step of " + (most == 1 ? "1" : "1 to " + most) + ", or the values themselves");
        }
        return step;
    }

    private static int value(Part part, String text, String item) {
        int name = part.names.indexOf(text.toLowerCase(Locale.ROOT));
        int value = name >= 0 ? name + part.low : digits(text);
        if (value < part.low || value > part.high) {
            String what = item.isEmpty() ? "an item of the list is empty" : "\"" + item + "\" is not allowed";
            throw fault(part, what, "write " + part.allowed());
        }
        return value;
    }

    /** The number, or -1 for what is none; two digits are enough for every field. */
    private static int digits(String text) {
        boolean number = !text.isEmpty() && text.length() <= 2 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Integer.parseInt(text) : -1;
    }

    private static IllegalArgumentException fault(Part part, String reason, String remedy) {
        return new IllegalArgumentException("cannot read the " + part.title + " of the schedule: " + reason + "; "
                + remedy + " (" + part.title + " is " + part.allowed() + ")");
    }
}
