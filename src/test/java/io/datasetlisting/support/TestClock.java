package io.datasetlisting.support;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;

/** Stands still, so that signed links can be compared. */
@Alternative
@Priority(1)
@Singleton
public class TestClock extends Clock {

    @Override
    public Instant instant() {
        return Instant.parse("2026-01-02T03:04:05Z");
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
