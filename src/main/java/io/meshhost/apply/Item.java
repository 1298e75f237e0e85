package io.meshhost.apply;

import io.meshhost.declaration.Resource;
import java.util.Optional;
import java.util.Set;

/** One line of a plan together with what carries it out. */
sealed interface Item {
    Change change();

    /** The full id of the resource or row. */
    default String id() {
        return change().id();
    }

    /** Whether the machine or the record is to be touched for it. */
    boolean work();

    Kind<?, ?> kind();

    /**
     * @param causes ids of {@code restart_on} that the change answers to
     * @param heirOf the id whose row it inherits
     * @param cleared planned as if what stands in its way were gone: looked at again when it is
     * @param blocked skipped because something that it needs is not in place
     */
    record Declared(
            Subject<?, ?> subject,
            Change change,
            Set<String> causes,
            Optional<String> heirOf,
            boolean cleared,
            boolean blocked)
            implements Item {
        Resource resource() {
            return subject.resource();
        }

        @Override
        public Kind<?, ?> kind() {
            return subject.kind();
        }

        @Override
        public boolean work() {
            boolean unrecorded = heirOf.isPresent()
                    || (subject.recorded().isEmpty() && change.recorded().isPresent());
            return change.action().changes()
                    || !change.steps().isEmpty()
                    || (change.action() == Action.UNCHANGED && unrecorded);
        }

        /** Whether the row is not in the record yet, under this or another id. */
        boolean first() {
            return subject.recorded().isEmpty();
        }

        Declared with(Change next) {
            return new Declared(subject, next, causes, heirOf, false, false);
        }

        Declared blocked(String why) {
            return new Declared(
                    subject,
                    Change.skipped(change.id(), change.type(), why, change.recorded()),
                    causes,
                    heirOf,
                    false,
                    true);
        }
    }

    /**
     * @param displaced in the way of a declared resource: goes before it
     */
    record Leaves(Leaving<?, ?> leaving, Change change, boolean displaced) implements Item {
        @Override
        public Kind<?, ?> kind() {
            return leaving.kind();
        }

        @Override
        public boolean work() {
            return change.action().changes();
        }
    }
}
