package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Metrics.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.postgres.database.StreamConnections;
import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.SlowClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;

/** Tests that one client does not take all places for exports. */
@QuarkusTest
class ExportPlacesTest {

    @Inject
    Catalogue catalogue;
    @Inject
    StreamConnections config;

    @TestHTTPResource
    URI service;

    @Test
    void oneClientHasAtMostHalfOfThePlaces() {
        Caller other = Caller.reader("of-another-place");
        assertEquals(4, config.maxTransfers());
        catalogue.during("lock table dataset in access exclusive mode", () -> {
            List<SlowClient> clients = new ArrayList<>();
            try {
                assertEquals("200", export(Caller.anonymous(), clients));
                assertEquals("200", export(Caller.anonymous(), clients));
                for (String type : List.of(MediaTypes.CSV, Bulk.NDJSON, MediaTypes.GEO_PARQUET)) {
                    Caller.anonymous().request().header("Accept", type).get("/api/dataset/").then().statusCode(429)
                            .header("Retry-After", "1");
                }
                assertEquals("200", export(other, clients));
                assertEquals("200", export(other, clients));
                assertEquals("503", export(Caller.admin(), clients));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                clients.forEach(ExportPlacesTest::close);
            }
        });
        Patience.await("no export").until(() -> metric("dataset_transfers_running") == 0);
        for (int i = 0; i < 3; i++) {
            Bulk.export(Caller.anonymous(), "?fields=id&workspace=1").then().statusCode(200);
        }
    }

    /** The status of an export that begins. It ends when its client is closed. */
    private String export(Caller caller, List<SlowClient> clients) throws IOException {
        clients.add(SlowClient.exporting(service, caller, MediaTypes.CSV));
        return clients.get(clients.size() - 1).head().split(" ")[1];
    }

    private static void close(SlowClient client) {
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
