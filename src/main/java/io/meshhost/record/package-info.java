/**
 * What was applied and what was there before, and what changed when and why (SQLite).
 *
 * <p>It may use {@code machine}. It decides nothing: it keeps rows for {@code apply}.
 */
@NullMarked
package io.meshhost.record;

import org.jspecify.annotations.NullMarked;
