package io.meshhost.machine.services;

import java.time.ZoneId;
import java.util.Optional;

/**
 * When a scheduled process runs: a cron expression and the zone in which it is meant.
 *
 * @param zone empty: the machine's own zone
 */
public record Schedule(Cron cron, Optional<ZoneId> zone) {}
