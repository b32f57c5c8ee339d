package io.datasetlisting.http.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.datasetlisting.support.NoFoldsSmallCaches;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.RawConnection.Answer;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Tests the time limit of the body of a search, which is longer in {@link HeldBodyTest}. */
@QuarkusTest
@TestProfile(NoFoldsSmallCaches.class)
class LateBodyTest {

    @TestHTTPResource
    URI service;

    @Test
    void theBodyOfASearchHasALimitOfTime() throws IOException {
        long start = System.nanoTime();
        try (RawConnection connection = new RawConnection(service)
                .write("POST /stac/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 100\r\n\r\n{")) {
            Answer late = connection.read();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            assertEquals(408, late.status());
            assertTrue(late.body().contains("The body did not arrive within 1000 ms."), late::body);
            assertEquals("", connection.readToEnd());
            assertTrue(millis >= 900, millis + " ms");
        }
    }
}
