package io.meshhost.machine.services;

import java.io.IOException;
import java.io.InputStream;

/** Carries what a process prints to where it is kept; a thread of its own, since a pipe must never fill up. */
final class Pump {
    private static final int PIECE = 8192;
    private static final int STACK = 128 * 1024;

    private Pump() {}

    /** Takes one piece of output. */
    interface Sink {
        void take(byte[] bytes, int length);
    }

    /** Ends by itself with the last holder of the pipe, or when the JDK closes it after the process's end. */
    static Thread start(String name, Process process, Sink sink) {
        InputStream in = process.getInputStream();
        return Thread.ofPlatform().name(name).daemon().stackSize(STACK).start(() -> {
            byte[] piece = new byte[PIECE];
            try {
                for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                    sink.take(piece, length);
                }
            } catch (IOException e) {
                // "Stream closed": the JDK does that once the process is reaped and the pipe was drained.
                return;
            }
        });
    }
}
