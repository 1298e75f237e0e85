/**
 * What a machine should be: bytes become a {@link io.meshhost.declaration.Declaration}, or all their
 * faults at once.
 *
 * <p>It may use {@code machine} for names and times only. It reads no file and asks no machine: the
 * same bytes and facts always give the same declaration.
 */
@NullMarked
package io.meshhost.declaration;

import org.jspecify.annotations.NullMarked;
