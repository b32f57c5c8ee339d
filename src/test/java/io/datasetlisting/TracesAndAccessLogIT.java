package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import com.sun.net.httpserver.HttpServer;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.ServiceProcess;
import io.restassured.RestAssured;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** Tests what the traces and the access log contain of a request, and that neither contains a secret. */
class TracesAndAccessLogIT {

    private static final int SECONDS = 20;

    @Test
    void aRequestIsTracedAndLoggedWithoutItsToken() throws Exception {
        try (Collector collector = new Collector();
                EmbeddedPostgres postgres = EmbeddedPostgres.start();
                ServiceProcess service = ServiceProcess.start(postgres.getPort() + "/postgres",
                        "-Ddataset.sample.enabled=true", "-Ddataset.admin-token=" + Caller.admin().key(),
                        "-Dquarkus.http.access-log.enabled=true", "-Dquarkus.otel.sdk.disabled=false",
                        "-Dquarkus.otel.exporter.otlp.endpoint=" + collector.url(),
                        "-Dquarkus.otel.exporter.otlp.protocol=http/protobuf",
                        "-Dquarkus.otel.bsp.schedule.delay=PT0.1S")
                        .use()) {
            String answer = RestAssured.given().header("Authorization", "Token " + Caller.admin().key())
                    .header("X-Request-Id", "traced-1").get(Listing.PATH + "?page_size=7").then().statusCode(200)
                    .extract().asString();
            assertTrue(answer.contains("Signature="));
            String span = collector.await("page_size=7");
            assertTrue(span.contains(Listing.PATH), span);
            String statement = collector.await("from dataset");
            assertFalse((span + statement).contains(Caller.admin().key()));

            service.stopInOrder();
            assertTrue(service.log().lines().anyMatch(line -> line.matches(
                    ".*\"GET /api/dataset/\\?page_size=7 HTTP/1.1\" 200 \\d+ \\d+ traced-1.*")), service::log);
            assertFalse(service.log().contains(Caller.admin().key()), service::log);
            assertFalse(service.log().contains("Signature="), service::log);
        }
    }

    /** Receives traces as a collector of OpenTelemetry does, and keeps their bytes. */
    private static final class Collector implements AutoCloseable {

        private final HttpServer server;
        private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
        private final StringBuilder all = new StringBuilder();

        Collector() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/v1/traces", exchange -> {
                received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            server.start();
        }

        String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        /** Waits for a text in the traces, and returns all traces so far. */
        String await(String text) throws InterruptedException {
            while (all.indexOf(text) < 0) {
                String next = received.poll(SECONDS, TimeUnit.SECONDS);
                assertTrue(next != null, () -> "no " + text + " in " + all);
                all.append(next);
            }
            return all.toString();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }
}
