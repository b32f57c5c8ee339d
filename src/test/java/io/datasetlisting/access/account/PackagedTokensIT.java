package io.datasetlisting.access.account;

import static io.datasetlisting.support.Bulk.line;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.sql.Connection;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.ServiceProcess;
import io.restassured.response.Response;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** Tests the admin token of the package, and that its log contains no keys and no signatures. */
class PackagedTokensIT {

    private static final String FIRST = "the-first-admin-token";
    private static final String SECOND = "the-second-admin-token";
    private static final String ME = "/api/account/me/";

    private EmbeddedPostgres postgres;

    @BeforeEach
    void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    @AfterEach
    void stopPostgres() throws IOException {
        postgres.close();
    }

    private ServiceProcess start(String... properties) throws IOException {
        return ServiceProcess.start(postgres.getPort() + "/postgres", properties).use();
    }

    @Test
    void onlyTheAdminTokenOfTheLatestConfigurationIsValid() throws Exception {
        try (ServiceProcess service = start()) {
            assertEquals(200, Listing.list("").statusCode());
            assertFalse(service.log().contains("Token "), service::log);
            for (String key : List.of(FIRST, "development-admin-token", "test-admin-token", "operator", "null")) {
                assertEquals("{\"detail\":\"Invalid token.\"}", as(key, ME).asString());
            }
            assertEquals(401, Bulk.send(Caller.anonymous(), line(1).encode().getBytes()).statusCode());
            Caller.anonymous().post(Caller.ACCOUNTS, "{\"username\":\"a\"}").then().statusCode(401);
            service.stopInOrder();
        }
        try (ServiceProcess service = start("-Ddataset.admin-token=" + FIRST)) {
            assertEquals("{\"id\":0,\"username\":\"operator\",\"workspace\":1}", as(FIRST, ME).asString());
            assertEquals(401, as("development-admin-token", ME).statusCode());
            service.stopInOrder();
        }
        try (ServiceProcess service = start("-Ddataset.admin-token=" + SECOND, "-Ddataset.admin-username=root")) {
            assertEquals(401, as(FIRST, ME).statusCode());
            assertEquals("{\"id\":0,\"username\":\"root\",\"workspace\":1}", as(SECOND, ME).asString());
            assertEquals(200, as(SECOND, Caller.TOKENS).statusCode());
            service.stopInOrder();
        }
    }

    private static Response as(String key, String path) {
        return Caller.anonymous().holding(key).get(path);
    }

    @Test
    void noKeyAndNoSignatureIsInTheLog() throws Exception {
        Caller admin = Caller.admin();
        try (ServiceProcess service = start("-Ddataset.admin-token=" + admin.key(),
                "-Ddataset.bulk.progress-interval=PT0.1S", "-Ddataset.sample.enabled=true")) {
            Caller writer = Caller.writer("Bea");
            Caller wrong = writer.holding("a-key-that-is-wrong");
            everyKindOfRequest(List.of(admin, writer, wrong));
            sql("alter table dataset rename to dataset_away");
            everyKindOfRequest(List.of(admin, writer));
            sql("alter table api_token rename to api_token_away");
            everyKindOfRequest(List.of(Caller.anonymous().holding("another-key-that-is-wrong")));
            postgres.close();
            everyKindOfRequest(List.of(admin, writer, wrong));
            service.stop().awaitExit();

            String log = service.log();
            for (String expected : List.of("Import: ", "Export: ", " ERROR ", "database not available")) {
                assertTrue(log.contains(expected), () -> expected + " is not in " + log);
            }
            for (String secret : List.of(admin.key(), writer.key(), wrong.key(), "another-key", "Signature=",
                    "AWSAccessKeyId", "Authorization")) {
                assertFalse(log.contains(secret), () -> secret + " is in " + log);
            }
        }
    }

    private static void everyKindOfRequest(List<Caller> callers) {
        String signed = line(7_000_000).put("thumbnail_image", "http://a/b.jpg?AWSAccessKeyId=c&Signature=d&Expires=1")
                .encode();
        for (Caller caller : callers) {
            caller.get(Listing.PATH + "?token=" + caller.key());
            caller.get("/api/nothing/" + caller.key());
            caller.get(ME);
            Bulk.export(caller, "");
            Bulk.send(caller, (signed + '\n' + signed.replace("http://a/b.jpg", "") + "\n{" + signed).getBytes());
            caller.post(Listing.PATH, signed);
            caller.post(Listing.PATH, "{" + signed);
            caller.post(Caller.ACCOUNTS, "{\"username\":\"operator\"}");
            caller.post(Caller.TOKENS, "{\"user\":0,\"name\":\"x\",\"right\":\"reader\"}");
            caller.patch(Listing.PATH + "1000/", "{\"bbox\":[1]}");
            caller.request().header("Idempotency-Key", "x").contentType("application/json").body("{}")
                    .post(Listing.PATH);
            caller.delete(Caller.TOKENS + "999/");
        }
    }

    private void sql(String statement) throws Exception {
        try (Connection connection = postgres.getPostgresDatabase().getConnection()) {
            connection.createStatement().execute(statement);
        }
    }
}
