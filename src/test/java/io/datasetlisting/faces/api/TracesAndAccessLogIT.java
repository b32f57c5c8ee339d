package io.datasetlisting.faces.api;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.ServiceProcess;
import io.restassured.RestAssured;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpVersion;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** Tests what the traces and the access log contain of a request, and that neither contains a secret. */
class TracesAndAccessLogIT {

    private static final int SECONDS = 20;

    @ParameterizedTest
    @ValueSource(strings = {"grpc", "http/protobuf"})
    void aRequestIsTracedAndLoggedWithoutItsToken(String protocol) throws Exception {
        try (Collector collector = new Collector();
                EmbeddedPostgres postgres = EmbeddedPostgres.start();
                ServiceProcess service = ServiceProcess.start(postgres.getPort() + "/postgres",
                        "-Ddataset.sample.enabled=true", "-Ddataset.admin-token=" + Caller.admin().key(),
                        "-Ddataset.rasters.ortho={id}.tif", "-Dquarkus.http.access-log.enabled=true",
                        "-Dquarkus.otel.sdk.disabled=false",
                        "-Dquarkus.otel.exporter.otlp.endpoint=" + collector.url(),
                        "-Dquarkus.otel.exporter.otlp.protocol=" + protocol,
                        "-Dquarkus.otel.bsp.schedule.delay=PT0.1S")
                        .use()) {
            String answer = RestAssured.given().header("Authorization", "Token " + Caller.admin().key())
                    .header("X-Request-Id", "traced-1").get(Listing.PATH + "?page_size=7").then().statusCode(200)
                    .extract().asString();
            assertTrue(answer.contains("Signature="));
            String span = collector.await("page_size=7");
            assertTrue(span.contains(Listing.PATH), span);
            String statement = collector.await("from dataset");
            int id = Listing.list("?available_rasters=ortho").jsonPath().getInt("results[0].id");
            String link = RestAssured.given().redirects().follow(false).get(Listing.PATH + id + "/raster/ortho").then()
                    .statusCode(302).extract().header("Location");
            assertTrue(link.contains("Signature="), link);
            String redirect = collector.await("/raster/");
            assertFalse((span + statement + redirect).contains(Caller.admin().key()));
            assertFalse((span + statement + redirect).contains("Signature="));

            for (String path : List.of("/datasets/signed-in/?state=secret1&code=secret2",
                    "/datasets/signed-in?code=secret3",
                    "/datasets/?search=x&code=secret4&STATE=secret5")) {
                RestAssured.given().redirects().follow(false).get(path);
            }
            service.stopInOrder();
            assertFalse(service.log().contains("secret"), service::log);
            assertTrue(service.log().contains("GET /datasets/signed-in/ HTTP/1.1"), service::log);
            assertTrue(service.log().contains("GET /datasets/?search=x&code=...&STATE=... HTTP/1.1"), service::log);
            assertTrue(service.log().lines().anyMatch(line -> line.matches(
                    ".*\"GET /api/dataset/\\?page_size=7 HTTP/1.1\" 200 \\d+ \\d+ traced-1.*")), service::log);
            assertFalse(service.log().contains(Caller.admin().key()), service::log);
            assertFalse(service.log().contains("Signature="), service::log);
        }
    }

    /** Receives traces as a collector of OpenTelemetry does, and keeps their bytes. */
    private static final class Collector implements AutoCloseable {

        private final Vertx vertx = Vertx.vertx();
        private final HttpServer server;
        private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
        private final StringBuilder all = new StringBuilder();

        Collector() {
            server = vertx.createHttpServer().requestHandler(request -> request.body().onSuccess(body -> {
                received.add(body.toString("ISO-8859-1"));
                if (request.version() == HttpVersion.HTTP_2) {
                    // An empty message of gRPC: not compressed, of length 0.
                    request.response().putHeader("Content-Type", "application/grpc").putTrailer("grpc-status", "0")
                            .end(Buffer.buffer(new byte[5]));
                } else {
                    request.response().end();
                }
            })).listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        }

        String url() {
            return "http://127.0.0.1:" + server.actualPort();
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
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }
}
