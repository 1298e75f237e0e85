package io.meshhost.apply;

import io.meshhost.machine.Places;

/**
 * What planning may know besides what was seen; fixed for one apply.
 *
 * @param root whether the host runs as root: owners can be set, accounts made
 * @param live whether processes started now do run now (false: one-shot apply with the built-in supervisor)
 * @param systemd whether the machine's supervisor is systemd; {@code user} and {@code service} need the whole machine
 */
public record Facts(Places places, boolean root, boolean live, boolean systemd) {}
