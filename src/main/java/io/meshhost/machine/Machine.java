package io.meshhost.machine;

import io.meshhost.machine.services.Services;
import java.time.InstantSource;

/**
 * One machine: all the doors to it that the rooms above are given.
 *
 * @param clock the wall clock, for what people read and for comparing with file times; delays are the ticker's
 */
public record Machine(
        Files files,
        Accounts accounts,
        Commands commands,
        Services services,
        Places places,
        Ticker ticker,
        InstantSource clock) {

    /** The machine that this program runs on. */
    public static Machine real(Places places, Services services) {
        Commands commands = new SystemCommands();
        return new Machine(
                new Files(places.root(), Probe.NONE, commands),
                new SystemAccounts(commands),
                commands,
                services,
                places,
                new SystemTicker(),
                InstantSource.system());
    }
}
