package io.meshhost.machine.services;

import io.meshhost.machine.Accounts;
import io.meshhost.machine.Commands;
import io.meshhost.machine.Files;
import io.meshhost.machine.Places;
import io.meshhost.machine.Ticker;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * What the built-in supervisor is given of the machine.
 *
 * @param clock wall clock, for schedules only; delays go by the ticker
 * @param notes told, in one sentence each, what an operator would look for in the log; must not block
 */
public record BuiltinMeans(
        Places places,
        Files files,
        Commands commands,
        Accounts accounts,
        Ticker ticker,
        InstantSource clock,
        BuiltinSettings settings,
        Consumer<String> notes) {}
