package io.datasetlisting.http.netty;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.ServiceProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** The packaged service for tests of raw requests: dev mode and {@code @QuarkusTest} run without {@link FramingExtension}. */
abstract class RawRequests {

    static final String MALFORMED = "{\"detail\":\"Malformed request.\"}";
    static final String GET = "GET /api/dataset/?page_size=1 HTTP/1.1\r\nHost: a\r\n";
    static final String ADMIN = "Authorization: Token " + Caller.admin().key() + "\r\n";
    /** A request that must not be executed. */
    static final String SMUGGLED = post("smuggled") + "\r\n" + body("smuggled");

    static ServiceProcess service;
    static EmbeddedPostgres postgres;

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.start();
        service = ServiceProcess.start(postgres.getPort() + "/postgres", "-Ddataset.sample.enabled=true",
                "-Ddataset.admin-token=" + Caller.admin().key()).use();
    }

    @AfterAll
    static void stop() throws IOException {
        service.close();
        postgres.close();
    }

    static RawConnection connect() throws IOException {
        return new RawConnection(service.url());
    }

    /** The head of a request that creates an account, without the blank line. */
    static String post(String username) {
        return "POST /api/account/ HTTP/1.1\r\nHost: a\r\n" + ADMIN + "Content-Type: application/json\r\n"
                + "Content-Length: " + body(username).length() + "\r\n";
    }

    static String body(String username) {
        return "{\"username\":\"" + username + "\"}";
    }

    static void assertNothingSmuggled() {
        assertFalse(Caller.admin().get(Caller.ACCOUNTS).asString().contains("smuggled"));
    }
}
