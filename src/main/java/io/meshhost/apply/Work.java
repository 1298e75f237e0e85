package io.meshhost.apply;

import io.meshhost.bundle.Bundles;
import io.meshhost.machine.Accounts;
import io.meshhost.machine.Commands;
import io.meshhost.machine.Files;
import io.meshhost.machine.Places;
import io.meshhost.machine.Progress;
import io.meshhost.machine.Ticker;
import io.meshhost.machine.services.Services;
import io.meshhost.record.RecordStore;
import java.util.function.BooleanSupplier;

/**
 * The doors open while carrying out.
 *
 * @param stopping true once the host was asked to stop: the resource in hand is finished, a wait for health
 *     is cut short
 */
public record Work(
        Files files,
        Accounts accounts,
        Commands commands,
        Services services,
        Bundles bundles,
        RecordStore record,
        Places places,
        Ticker ticker,
        Progress progress,
        BooleanSupplier stopping) {}
