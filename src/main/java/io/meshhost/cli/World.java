package io.meshhost.cli;

import io.meshhost.converge.Host;
import java.time.Clock;

/** The doors of the commands: where they print, and how they get at the machine. */
record World(Console console, Host.Opener hosts, Clock clock, String version) {}
