package io.meshhost.cli;

import io.meshhost.machine.Places;

/** A call of this program for a person to copy: it must mean the same machine as the one that is spoken of. */
final class Invocation {
    private Invocation() {}

    static String of(String command, Places places) {
        return "nox-mesh-host " + command + (places.wholeMachine() ? "" : " --root " + places.root());
    }
}
