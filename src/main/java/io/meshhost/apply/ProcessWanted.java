package io.meshhost.apply;

import io.meshhost.bundle.Entry;
import io.meshhost.machine.services.ProcessSpec;
import io.meshhost.machine.services.Services.UnitFile;
import java.util.List;
import java.util.Optional;

/**
 * What a declared process comes to on this machine.
 *
 * @param sha256 digest of the bundle
 * @param spec with {@code run[0]} resolved; when the bundle's entries are not known yet, as far as can be told
 * @param how everything about how it is run, one line each, as declared, a secret by its keyed digest
 * @param want identity of bundle and how: two processes from one bundle that differ in a word only are different
 * @param entries of the bundle, where they can be known without fetching it
 * @param size bytes of the bundle, or -1 when not known
 * @param hints what a person should know, each a clause: a limit that cannot be kept, an hour that does not exist
 */
record ProcessWanted(
        String sha256,
        ProcessSpec spec,
        ProcessForm form,
        String how,
        String want,
        List<UnitFile> files,
        Optional<List<Entry>> entries,
        long size,
        List<String> hints) {

    /** Secrets are in it, so it never prints itself. */
    @Override
    public String toString() {
        return "ProcessWanted[" + spec.name() + "]";
    }
}
