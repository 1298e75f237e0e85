package io.meshhost.apply;

import io.meshhost.bundle.Bundles;
import io.meshhost.machine.Accounts;
import io.meshhost.machine.Commands;
import io.meshhost.machine.Files;
import io.meshhost.machine.Places;
import io.meshhost.machine.services.Services;
import io.meshhost.record.RecordStore;

/** The doors that are open both while inspecting and while carrying out. */
record ProcessDoors(
        Files files,
        Accounts accounts,
        Commands commands,
        Services services,
        Bundles bundles,
        RecordStore record,
        Places places) {

    static ProcessDoors of(Sight sight) {
        return new ProcessDoors(
                sight.files(),
                sight.accounts(),
                sight.commands(),
                sight.services(),
                sight.bundles(),
                sight.record(),
                sight.places());
    }

    static ProcessDoors of(Work work) {
        return new ProcessDoors(
                work.files(),
                work.accounts(),
                work.commands(),
                work.services(),
                work.bundles(),
                work.record(),
                work.places());
    }
}
