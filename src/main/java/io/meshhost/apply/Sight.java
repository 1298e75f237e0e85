package io.meshhost.apply;

import io.meshhost.bundle.Bundles;
import io.meshhost.machine.Accounts;
import io.meshhost.machine.Commands;
import io.meshhost.machine.Files;
import io.meshhost.machine.Places;
import io.meshhost.machine.services.ServiceState;
import io.meshhost.machine.services.Services;
import io.meshhost.record.RecordStore;
import java.util.Map;

/**
 * The doors open while inspecting: nothing is changed through them by a kind's observe.
 *
 * @param states of all units that the kinds named, asked in one batch
 * @param adopting the record is being rebuilt: what matches the declaration is taken for what was applied
 */
public record Sight(
        Files files,
        Accounts accounts,
        Commands commands,
        Services services,
        Bundles bundles,
        RecordStore record,
        Places places,
        Map<String, ServiceState> states,
        boolean adopting) {

    public ServiceState state(String unit) {
        return states.getOrDefault(unit, ServiceState.absent(unit));
    }
}
