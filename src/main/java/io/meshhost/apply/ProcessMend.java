package io.meshhost.apply;

import io.meshhost.machine.Files;
import java.util.Optional;

/**
 * The trees of one process, in every state that a power cut can leave them in.
 *
 * <p>The swap is: unpack {@code new}; the name becomes {@code old}; {@code new} becomes the name; it is started
 * and proven; the notes of the row change to the new version with {@code dropAside}; {@code old} is deleted.
 * What may be found, and what is done (anything under {@code new} is rubbish and goes first):
 *
 * <pre>
 * old      name     dropAside   it is
 * absent   any      any         untouched, or done: the name holds what the notes say
 * present  absent   no          cut between the renames, either way: old becomes the name
 * present  present  no          on trial, unproven: the name goes, old becomes the name
 * present  any      yes         proven: old goes
 * </pre>
 */
final class ProcessMend {
    private final Files files;
    private final ProcessHome home;

    ProcessMend(Files files, ProcessHome home) {
        this.files = files;
        this.home = home;
    }

    /** Puts right what was cut off; afterwards the name holds the version of the notes, or nothing of worth. */
    void mend(Optional<ProcessNotes> notes) {
        files.deleteTree(home.fresh());
        if (files.stat(home.aside()).isEmpty()) {
            return;
        }
        if (notes.isEmpty() || notes.get().dropAside()) {
            files.deleteTree(home.aside());
        } else {
            back();
        }
        files.sync();
    }

    /**
     * Makes {@code new} the version under the name.
     *
     * @param worthKeeping whether what is there now is of a version that worked
     */
    void swap(boolean worthKeeping) {
        if (files.stat(home.tree()).isPresent()) {
            if (worthKeeping) {
                files.move(home.tree(), home.aside());
            } else {
                files.deleteTree(home.tree());
            }
        }
        files.move(home.fresh(), home.tree());
        files.sync();
    }

    /** Puts the old version back under the name; the one on trial is renamed first, so that the name is never half. */
    void back() {
        files.deleteTree(home.fresh());
        if (files.stat(home.tree()).isPresent()) {
            files.move(home.tree(), home.fresh());
        }
        files.move(home.aside(), home.tree());
        files.sync();
        files.deleteTree(home.fresh());
    }

    /** After the point of no return. */
    void drop() {
        files.deleteTree(home.aside());
        files.sync();
    }
}
