package io.datasetlisting.base;

import java.time.Clock;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Produces the clock of the service, which tests replace. */
class ServiceClock {

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }
}
