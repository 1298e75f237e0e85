package io.meshhost.converge;

import io.meshhost.apply.Report;
import io.meshhost.declaration.Fault;
import java.util.List;

/** How a reconcile ended. */
public sealed interface Ended {
    /** It took place, well or not. */
    record Applied(Report report) implements Ended {}

    /**
     * The declaration is missing, unreadable or refused: nothing was changed.
     *
     * @param faults empty where it could not even be read
     */
    record Refused(String sentence, List<Fault> faults) implements Ended {}

    /** It could not take place: a record that is lost, another apply in the way, the stop of the host. */
    record Failed(String sentence) implements Ended {}
}
