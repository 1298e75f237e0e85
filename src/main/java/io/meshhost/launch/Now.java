package io.meshhost.launch;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * All that a status is made of.
 *
 * @param child pid of what runs
 * @param due when something happens by itself, nanoseconds of the monotonic clock
 * @param last the host that ran last, or runs
 * @param scene what the next choice would be made from; asked when somebody wants to know
 */
record Now(State state, Optional<Long> child, OptionalLong due, Optional<Ran> last, Supplier<Scene> scene) {}
