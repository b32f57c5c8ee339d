package io.datasetlisting.support;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;

/** A clock that stands still until a test moves it, so that tests can compare signed links. */
@Alternative
@Priority(1)
@Singleton
public class TestClock extends Clock {

    public static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private volatile Instant now = START;

    /** Moves the clock to a time after {@link #START}. */
    public void setAfterStart(Duration passed) {
        now = START.plus(passed);
    }

    /** Resets the clock. Every test that moves the clock calls this method. */
    public void reset() {
        now = START;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
