package io.datasetlisting.write.edit;

import static io.datasetlisting.support.Caller.writer;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.time.Duration;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.TestClock;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests creates that a client repeats with the same {@code Idempotency-Key}, because the response was lost. */
@QuarkusTest
class IdempotencyKeyTest {

    private static final String FIELDS = "{\"dataset_name\":\"a\",\"coordinates\":[1,2]}";

    @Inject
    Catalogue catalogue;

    @Inject
    TestClock clock;

    private Caller ada;

    @BeforeEach
    void createWriter() {
        catalogue.replaceWith();
        ada = writer("Ada");
    }

    private static Response create(Caller caller, String key, String json) {
        return caller.request().header("Idempotency-Key", key).contentType(Caller.JSON).body(json).post(Listing.PATH);
    }

    private long datasets() {
        return catalogue.sql("select count(*) from dataset").get(0).getLong(0);
    }

    @Test
    void aRepeatedCreateReturnsTheFirstResponse() {
        Response first = create(ada, "k-1", FIELDS);
        assertEquals(201, first.statusCode());
        ada.patch(first.header("Location"), "{\"dataset_name\":\"changed meanwhile\"}").then().statusCode(200);
        Response second = create(ada, "k-1", FIELDS);
        assertEquals(201, second.statusCode());
        assertEquals(first.asString(), second.asString());
        assertEquals(first.header("Location"), second.header("Location"));
        assertEquals(first.header("ETag"), second.header("ETag"));
        assertEquals(1, datasets());
    }

    @Test
    void theRepeatedResponseHasANewLink() {
        Response first = create(ada, "k-1", FIELDS);
        clock.setAfterStart(Duration.ofDays(1).minusSeconds(1));
        Response second = create(ada, "k-1", FIELDS);
        String link = ada.get(second.header("Location")).path("thumbnail_image");
        assertEquals(link, second.path("thumbnail_image"));
        assertNotEquals(link, first.path("thumbnail_image"));
        assertEquals(first.asString().replaceAll("\"thumbnail_image\":\"[^\"]*\"", ""),
                second.asString().replaceAll("\"thumbnail_image\":\"[^\"]*\"", ""));
    }

    @Test
    void theSameKeyForAnotherRequestIsRefused() {
        create(ada, "k-1", FIELDS);
        create(ada, "k-1", "{\"dataset_name\":\"b\"}").then().statusCode(422)
                .body("detail", equalTo("This Idempotency-Key has been used for another request."));
        assertEquals(1, datasets());
    }

    @Test
    void eachAccountHasItsOwnKeys() {
        create(ada, "k-1", FIELDS).then().statusCode(201);
        create(writer("Bob"), "k-1", "{}").then().statusCode(201);
        create(ada.token("writer"), "k-1", FIELDS).then().statusCode(201);
        assertEquals(2, datasets());
    }

    @Test
    void theKeyOfARefusedCreateMayBeUsedAgain() {
        create(ada, "k-1", "{\"category\":[]}").then().statusCode(400);
        create(ada, "k-1", FIELDS).then().statusCode(201);
        assertEquals(1, datasets());
    }

    @ParameterizedTest
    @ValueSource(strings = {"two words", "é"})
    void aKeyMustBePrintableAscii(String key) {
        create(ada, key, FIELDS).then().statusCode(400)
                .body("detail", equalTo("Idempotency-Key must be 1 to 255 printable ASCII characters."));
        assertEquals(0, datasets());
    }

    @Test
    void aKeyHas1To255Characters() {
        create(ada, "k".repeat(255), FIELDS).then().statusCode(201);
        create(ada, "k".repeat(256), FIELDS).then().statusCode(400);
        create(ada, "", FIELDS).then().statusCode(400);
    }

    @Test
    void aKeyExpiresAfterADayWithoutAnotherCreate() {
        create(ada, "k-1", FIELDS);
        catalogue.sql("update idempotency_key set created = now() - interval '25 hours'");
        create(ada, "k-1", "{}").then().statusCode(201);
        assertEquals(2, datasets());
    }

    @Test
    void aCreateDeletesKeysThatAreOlderThanADay() {
        create(ada, "k-1", FIELDS);
        catalogue.sql("update idempotency_key set created = now() - interval '25 hours'");
        create(ada, "k-2", FIELDS);
        assertEquals(1L, catalogue.sql("select count(*) from idempotency_key").get(0).getLong(0));
        create(ada, "k-1", "{}").then().statusCode(201);
        assertEquals(3, datasets());
    }
}
