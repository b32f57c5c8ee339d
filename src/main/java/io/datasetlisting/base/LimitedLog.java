package io.datasetlisting.base;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.jboss.logging.Logger;

/**
 * Writes a warning for each cause at most once a second, because a failure of the database meets every request. The next warning
 * of the cause has the number of warnings that were left out.
 */
public final class LimitedLog {

    private static final long INTERVAL = TimeUnit.SECONDS.toNanos(1);
    /** Causes are few, unless they contain names of the database. */
    private static final int MAX_CAUSES = 100;

    private final Logger log;
    private final Map<String, Last> warnings = new ConcurrentHashMap<>();

    public LimitedLog(Logger log) {
        this.log = log;
    }

    /**
     * The last warning of a cause.
     *
     * @param nanos
     *            its time, as {@link System#nanoTime} gives it
     * @param leftOut
     *            number of warnings since then
     */
    private record Last(long nanos, long leftOut) {
    }

    /**
     * Writes a warning, unless one with this cause has been written within a second.
     *
     * @param cause
     *            what the warnings that are limited together have in common
     */
    public void warn(String cause, String message) {
        if (warnings.size() >= MAX_CAUSES) {
            warnings.clear();
        }
        long now = System.nanoTime();
        Last written = new Last(now, 0);
        long[] leftOut = new long[1];
        Last last = warnings.compute(cause, (key, before) -> {
            if (before != null && now - before.nanos < INTERVAL) {
                return new Last(before.nanos, before.leftOut + 1);
            }
            leftOut[0] = before == null ? 0 : before.leftOut;
            return written;
        });
        if (last == written) {
            log.warn(leftOut[0] == 0 ? message : message + " (and " + leftOut[0] + " more of this cause)");
        }
    }
}
