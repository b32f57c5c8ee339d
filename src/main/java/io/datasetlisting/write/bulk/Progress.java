package io.datasetlisting.write.bulk;

import java.time.Duration;

import org.jboss.logging.Logger;

/** Logs the progress of a transfer at intervals. */
final class Progress {

    private static final Logger LOG = Logger.getLogger(Progress.class);

    private final String name;
    private final long interval;
    private final long start = System.nanoTime();
    private long next;
    private long count;
    private boolean ended;

    Progress(String name, Duration interval) {
        this.name = name;
        this.interval = interval.toNanos();
        next = start + this.interval;
    }

    /** Adds to the count, and logs it when the interval has passed. */
    void add(long more) {
        count += more;
        if (System.nanoTime() - next >= 0) {
            next = System.nanoTime() + interval;
            log("");
        }
    }

    /** Sets the count, and logs it. */
    void at(long total) {
        count = total;
        log("");
    }

    void endAt(long total) {
        count = total;
        end();
    }

    /** Logs the end once. */
    void end() {
        if (!ended) {
            ended = true;
            log(", ended");
        }
    }

    long perSecond() {
        return count * 1_000_000_000L / Math.max(1, System.nanoTime() - start);
    }

    private void log(String state) {
        LOG.infof("%s: %d datasets, %d a second%s", name, count, perSecond(), state);
    }
}
