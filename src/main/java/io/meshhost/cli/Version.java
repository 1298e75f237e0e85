package io.meshhost.cli;

/** The version of this program, kept equal to the build's by a test: a resource would have to be read at each start. */
final class Version {
    static final String TEXT = "0.1.0-SNAPSHOT";

    private Version() {}
}
