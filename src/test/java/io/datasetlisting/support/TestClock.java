package io.datasetlisting.support;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;

import io.quarkus.arc.Arc;
import io.quarkus.test.junit.callback.QuarkusTestAfterEachCallback;
import io.quarkus.test.junit.callback.QuarkusTestMethodContext;

/** A clock that stands still until a test moves it, so that tests can compare signed links. It is reset after each test. */
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

    /** Moves the clock to the time of the machine, which a storage, a browser and the libraries of tokens have. */
    public void setToNow() {
        setAfterNow(Duration.ZERO);
    }

    public void setAfterNow(Duration later) {
        now = Instant.now().plus(later);
    }

    /** Resets the clock after each test. */
    public static class Reset implements QuarkusTestAfterEachCallback {

        @Override
        public void afterEach(QuarkusTestMethodContext context) {
            Arc.container().instance(TestClock.class).get().setAfterStart(Duration.ZERO);
        }
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
