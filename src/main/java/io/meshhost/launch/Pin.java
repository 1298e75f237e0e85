package io.meshhost.launch;

/**
 * {@code rollback-pinned}: the version that runs whatever arrives.
 *
 * @param byOperator {@code pinned-by-operator} stands beside it: it holds until unpin, or until the version is gone
 */
public record Pin(String version, boolean byOperator) {}
