/**
 * What Linux offers and the JDK does not: datagrams to systemd, abstract unix sockets, children without a helper program
 * or a thread each, whether a file has changed.
 *
 * <p>The only place that calls foreign functions. Each downcall stands in reachability-metadata.json too, or a native
 * executable ends with an Error at its first use (NATIVE.md 8).
 */
@NullMarked
package io.meshhost.machine.linux;

import org.jspecify.annotations.NullMarked;
