package io.meshhost.launch;

import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

/** The host that runs or ran last, and whether the failures that are counted are its own. */
final class LastRan {
    private final Ledger ledger;
    private Optional<Ran> ran = Optional.empty();
    private boolean counted;
    private boolean unlooked;
    private Map<String, Long> arrivals = Map.of();

    LastRan(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * An earlier supervisor has written down who ran. Where it counted otherwise than the file does, somebody else has
     * started hosts since, or the power was cut in between: then nobody knows what failed.
     *
     * @param count what the file says
     */
    void takeOver(SupervisorStatus.Last before, Choosing choosing, int count) {
        Map<String, Long> now = ledger.arrivals(new ArrayList<>());
        ran = choosing.ran(before)
                .map(host -> before.arrival().isPresent()
                        ? new Ran(host, before.arrival(), Optional.empty())
                        : Ran.now(host, now));
        counted = before.failures() == count;
    }

    /** The files were asked; what is chosen of them is what arrived by then. */
    void asked(Scene scene) {
        arrivals = scene.arrivals();
    }

    void started(Host host) {
        ran = Optional.of(Ran.now(host, arrivals));
        counted = true;
        unlooked = true;
    }

    /** Once a start, and soon: what the one that was started is known by. When it has failed, others may stand there. */
    void look() {
        if (unlooked) {
            unlooked = false;
            ran = ran.map(this::look);
        }
    }

    private Ran look(Ran last) {
        return last.host()
                .version()
                .map(name -> last.knownBy(ledger.bytes().known(ledger.versions().resolve(name), name)))
                .orElse(last);
    }

    Optional<Ran> ran() {
        return ran;
    }

    /** What has failed, if anything did; empty: nobody knows. */
    Optional<Ran> failing() {
        return ran.filter(_ -> counted);
    }
}
