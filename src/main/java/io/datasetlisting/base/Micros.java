package io.datasetlisting.base;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** Times as microseconds since 1970, which PostgreSQL stores. */
public final class Micros {

    private Micros() {
    }

    /** Without the overflow of {@link ChronoUnit#between} after 2262 and before 1677. */
    public static long of(Instant time) {
        return TimeUnit.SECONDS.toMicros(time.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(time.getNano());
    }

    /** Microseconds of a time that a row contains. */
    public static long of(OffsetDateTime time) {
        return of(time.toInstant());
    }

    public static Instant toInstant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
