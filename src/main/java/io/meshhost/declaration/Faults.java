package io.meshhost.declaration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Gathers what is wrong with one document; reading goes on after each, so that all are said at once. */
final class Faults {
    private final String file;
    private final List<Fault> faults = new ArrayList<>();
    private boolean refused;

    Faults(String file) {
        this.file = file;
    }

    void add(Place place, String message) {
        refused = true;
        faults.add(fault(place, message, false));
    }

    void warn(Place place, String message) {
        faults.add(fault(place, message, true));
    }

    /** Whether the declaration is refused. */
    boolean refused() {
        return refused;
    }

    int count() {
        return faults.size();
    }

    /** In the order of the document. */
    List<Fault> all() {
        return faults.stream()
                .sorted(Comparator.comparingInt(Fault::line).thenComparingInt(Fault::column))
                .toList();
    }

    private Fault fault(Place place, String message, boolean warning) {
        return new Fault(file, place.line(), place.column(), place.pointer(), Words.oneLine(message), warning);
    }
}
