package io.meshhost.apply;

import io.meshhost.declaration.Declaration;
import io.meshhost.machine.Files;
import io.meshhost.machine.Machine;
import io.meshhost.machine.services.UnitText;
import io.meshhost.record.RecordStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** When nothing may be changed at all, whatever the declaration says. */
final class Refusals {
    /** Units are small; what is larger is none of ours. */
    private static final long UNIT_LIMIT = 64 * 1024;

    private final Machine machine;
    private final RecordStore record;

    Refusals(Machine machine, RecordStore record) {
        this.machine = machine;
        this.record = record;
    }

    boolean noRecord() {
        return machine.files().stat(machine.places().database()).isEmpty();
    }

    void check(Declaration declaration, Options options) {
        if (!options.rebuildRecord() && noRecord()) {
            evidence().ifPresent(path -> {
                throw new ApplyFailure(
                        ApplyFailure.Reason.REFUSED,
                        "cannot apply: the record " + machine.places().database() + " is missing, yet " + path
                                + " says that this machine was applied to before; restore it from a backup, or run"
                                + " apply --rebuild-record");
            });
        }
        OptionalLong last = record.serial();
        OptionalLong serial = declaration.serial();
        if (!options.force() && serial.isPresent() && last.isPresent() && serial.getAsLong() < last.getAsLong()) {
            throw new ApplyFailure(
                    ApplyFailure.Reason.REFUSED,
                    "cannot apply serial " + serial.getAsLong() + ": serial " + last.getAsLong()
                            + " was applied already; raise it, or go back with --force");
        }
    }

    /** What only a host that was here before leaves behind (SPEC 2, "Lost"). */
    private Optional<Path> evidence() {
        Files files = machine.files();
        Path knownGood = machine.places().stateDir().resolve("known-good");
        if (files.stat(knownGood).isPresent()) {
            return Optional.of(knownGood);
        }
        return files.list(machine.places().daemonsDir()).stream()
                .findFirst()
                .or(() -> files.list(machine.places().unitDir()).stream()
                        .filter(this::ours)
                        .findFirst());
    }

    private boolean ours(Path unit) {
        return unit.toString().endsWith(".service")
                && machine.files()
                        .stat(unit)
                        .filter(stat -> stat.isFile() && stat.size() <= UNIT_LIMIT)
                        .isPresent()
                && new String(machine.files().read(unit, UNIT_LIMIT), StandardCharsets.UTF_8)
                        .startsWith(UnitText.HEADER);
    }
}
