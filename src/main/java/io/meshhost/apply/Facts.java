package io.meshhost.apply;

import io.meshhost.machine.Places;

/**
 * What planning may know besides what was seen.
 *
 * @param root whether the host runs as root: owners can be set, accounts made
 * @param live whether processes started now do run now (false: one-shot apply with the built-in supervisor)
 * @param systemd whether the machine's supervisor is systemd; {@code user} and {@code service} need the whole machine
 * @param unasked as {@link Options#unasked}
 * @param future what the rest of the plan does to the tree; of use when something is taken away
 */
public record Facts(Places places, boolean root, boolean live, boolean systemd, boolean unasked, Future future) {
    public Facts(Places places, boolean root, boolean live, boolean systemd) {
        this(places, root, live, systemd, false, Future.nothing());
    }

    public Facts with(Future next) {
        return new Facts(places, root, live, systemd, unasked, next);
    }

    public Facts unasked(boolean nobodyAsked) {
        return new Facts(places, root, live, systemd, nobodyAsked, future);
    }
}
