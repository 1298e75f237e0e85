package io.meshhost.machine.services;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random expressions of every shape that is allowed, and what they mean by the rules of cronie, written anew. */
record RandomCron(String text, List<String> fields) {
    private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
    private static final int[][] RANGES = {{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 7}};

    static RandomCron of(Random random) {
        List<String> fields = IntStream.range(0, 5)
                .mapToObj(part -> random.nextInt(3) == 0 ? "*" : list(random, part))
                .toList();
        return new RandomCron(String.join(" ", fields), fields);
    }

    private static String list(Random random, int part) {
        return IntStream.rangeClosed(0, random.nextInt(4) == 0 ? 2 : 0)
                .mapToObj(i -> item(random, RANGES[part][0], RANGES[part][1], part == 4))
                .collect(Collectors.joining(","));
    }

    private static String item(Random random, int low, int high, boolean weekday) {
        int from = low + random.nextInt(high - low + 1);
        int to = low + random.nextInt(high - low + 1);
        if (!weekday && from > to) {
            return item(random, low, high, false);
        }
        int width = Math.max(1, from <= to ? to - from : to + 7 - from);
        return switch (random.nextInt(6)) {
            case 0 -> word(random, from, weekday);
            case 1 -> word(random, from, weekday) + "-" + word(random, to, weekday);
            case 2 -> from + "-" + to + "/" + (1 + random.nextInt(width));
            case 3 -> "*/" + (1 + random.nextInt(high - low));
            case 4 -> from + "/" + (1 + random.nextInt(Math.max(1, high - from)));
            default -> String.valueOf(from);
        };
    }

    private static String word(Random random, int value, boolean weekday) {
        return weekday && value < 7 && random.nextBoolean() ? DAYS.get(value) : String.valueOf(value);
    }

    /** The values of a field, one by one and without bits. */
    List<Integer> values(int part) {
        List<Integer> values = new ArrayList<>();
        for (String item : fields.get(part).split(",", -1)) {
            String[] step = item.split("/", -1);
            String[] ends = step[0].split("-", -1);
            int low = step[0].equals("*") ? RANGES[part][0] : number(ends[0]);
            boolean open = step[0].equals("*") || (ends.length == 1 && step.length == 2);
            int high = open ? RANGES[part][1] : number(ends[ends.length - 1]);
            int by = step.length == 2 ? Integer.parseInt(step[1]) : 1;
            for (int value = low; value <= (high < low ? high + 7 : high); value += by) {
                values.add(part == 4 ? value % 7 : value);
            }
        }
        return values;
    }

    private static int number(String word) {
        int day = DAYS.indexOf(word);
        return day < 0 ? Integer.parseInt(word) : day;
    }

    boolean star(int part) {
        return fields.get(part).startsWith("*");
    }
}
