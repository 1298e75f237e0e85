package io.meshhost.machine.services;

/** A five-field cron expression. */
public final class Cron {
    private Cron() {}
}
