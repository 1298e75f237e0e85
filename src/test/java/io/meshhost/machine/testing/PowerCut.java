package io.meshhost.machine.testing;

import io.meshhost.machine.Probe;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Cuts the power before the nth operation, and keeps the trace of those before it. */
public final class PowerCut implements Probe {
    private final long at;
    private final List<String> trace = new CopyOnWriteArrayList<>();

    private PowerCut(long at) {
        this.at = at;
    }

    /**
     * @param operation from 1
     */
    public static PowerCut before(long operation) {
        return new PowerCut(operation);
    }

    /** Only records. */
    public static PowerCut never() {
        return new PowerCut(Long.MAX_VALUE);
    }

    @Override
    public void before(long number, String operation, Path path) {
        if (number >= at) {
            throw new Cut(number + " " + operation + " " + path);
        }
        trace.add(operation + " " + path);
    }

    /** {@code OPERATION PATH} of each operation that was let through, in order. */
    public List<String> trace() {
        return List.copyOf(trace);
    }

    /** The first words of {@link #trace}. */
    public List<String> operations() {
        return trace.stream().map(line -> line.substring(0, line.indexOf(' '))).toList();
    }

    /** No failure that anybody may catch and clean up after. */
    public static final class Cut extends Error {
        private static final long serialVersionUID = 1L;

        Cut(String where) {
            super("power cut before operation " + where);
        }
    }
}
