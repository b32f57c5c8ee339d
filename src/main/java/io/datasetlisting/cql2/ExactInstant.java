package io.datasetlisting.cql2;

import java.time.Instant;

/**
 * A point in time of any precision, split at the microseconds of PostgreSQL.
 *
 * @param floor
 *            the time, rounded down to microseconds
 * @param isExact
 *            whether the time is {@code floor}; otherwise it is less than a microsecond later
 */
public record ExactInstant(Instant floor, boolean isExact) {
}
