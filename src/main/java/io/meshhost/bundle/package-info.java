/**
 * Sources, streaming digests, the content-addressed store, and unpacking.
 *
 * <p>It may use {@code machine}. What comes from outside is hashed on the way in, and nothing of an
 * archive ever stands outside the folder it was unpacked into.
 */
@NullMarked
package io.meshhost.bundle;

import org.jspecify.annotations.NullMarked;
