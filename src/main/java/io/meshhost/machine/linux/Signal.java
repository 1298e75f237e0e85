package io.meshhost.machine.linux;

/** Sends what the JDK cannot: it knows TERM and KILL only. */
public final class Signal {
    private Signal() {}

    /**
     * kill(2).
     *
     * @param child alive and our own: its number cannot have become another's before its end was asked for
     * @param number as signal(7) has it
     */
    public static boolean send(Process child, int number) {
        return child.isAlive() && new Libc().kill(Math.toIntExact(child.pid()), number);
    }
}
