package io.meshhost.cli;

import io.quarkus.runtime.annotations.QuarkusMain;

/** Entry of nox-mesh-host. */
@QuarkusMain
public class Main {
    public static void main(String... args) {
        System.out.println("x");
    }
}
