package io.datasetlisting.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.ErrorLog;

/** Tests that {@link LimitedLog} writes one warning a second for each cause. */
class LimitedLogTest {

    @Test
    void eachCauseIsWrittenOnce() {
        try (ErrorLog written = ErrorLog.open()) {
            LimitedLog log = new LimitedLog(Logger.getLogger(LimitedLogTest.class));
            for (int i = 0; i < 50; i++) {
                log.warn("no connection", "request " + i + ": no connection");
                log.warn("read-only", "request " + i + ": read-only");
            }
            assertEquals(List.of("request 0: no connection", "request 0: read-only"),
                    written.warnings(LimitedLogTest.class));
        }
    }
}
