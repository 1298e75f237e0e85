package io.meshhost.cli;

import io.meshhost.machine.Progress;

/** One line on a terminal that is written over; called often, so it prints only what differs. */
final class ProgressLine implements Progress {
    private static final String CLEAR = "\r\033[K";

    private final Console console;
    private String shown = "";

    ProgressLine(Console console) {
        this.console = console;
    }

    @Override
    public synchronized void at(String what, long done, long total) {
        String text = total > 0 ? what + " " + done * 100 / total + " %" : what;
        if (!text.equals(shown)) {
            shown = text;
            console.err().print(CLEAR + text);
            console.err().flush();
        }
    }

    synchronized void clear() {
        if (!shown.isEmpty()) {
            shown = "";
            console.err().print(CLEAR);
            console.err().flush();
        }
    }
}
