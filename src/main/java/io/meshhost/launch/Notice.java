package io.meshhost.launch;

/** A signal that the supervisor was sent, and passes on. */
enum Notice {
    TERM(15),
    INT(2),
    HUP(1);

    private final int number;

    Notice(int number) {
        this.number = number;
    }

    /** As signal(7) numbers it on Linux. */
    int number() {
        return number;
    }
}
