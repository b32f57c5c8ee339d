package io.datasetlisting.storage;

import java.time.Clock;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The clock that links expire by; tests put another in its place. */
class ServiceClock {

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }
}
