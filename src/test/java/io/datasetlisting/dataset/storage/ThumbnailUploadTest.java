package io.datasetlisting.dataset.storage;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Images;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RawConnection;
import io.datasetlisting.support.S3Resource;
import io.datasetlisting.support.S3Server;
import io.datasetlisting.support.TestClock;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.http.Header;
import io.restassured.http.Headers;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/** Tests uploads of thumbnails. */
@QuarkusTest
@TestProfile(WithStorage.class)
class ThumbnailUploadTest {

    @Inject
    Catalogue catalogue;

    @Inject
    TestClock clock;

    @TestHTTPResource("/")
    URI service;

    S3Server s3;

    private Caller owner;
    private long id;

    @BeforeEach
    void createDataset() {
        catalogue.replaceWith();
        stored().forEach(key -> s3.delete(S3Resource.BUCKET, key));
        // The storage uses the clock of the system.
        clock.setToNow();
        owner = Caller.writer("Ada");
        id = owner.create("{\"dataset_name\":\"a\",\"coordinates\":[1,2]}");
    }

    private String path() {
        return Listing.PATH + id + "/thumbnail/";
    }

    private Response put(Caller caller, byte[] body) {
        return caller.request().contentType("image/jpeg").body(body).put(path());
    }

    private String link() {
        return owner.get(Listing.PATH + id + "/").jsonPath().getString("thumbnail_image");
    }

    private static Response open(String link) {
        return given().urlEncodingEnabled(false).get(link);
    }

    private List<String> stored() {
        return s3.list(S3Resource.BUCKET);
    }

    @ParameterizedTest
    @CsvSource({"image/jpeg,jpg", "image/png,png", "image/webp,webp"})
    void theLinkOpensTheUploadedImage(String type, String extension) throws IOException {
        byte[] image = Images.of(type, 300_000);
        Response answer = put(owner, image);
        answer.then().statusCode(200).contentType("application/json").body("id", equalTo((int) id));
        String link = answer.jsonPath().getString("thumbnail_image");
        String uid = answer.jsonPath().getString("uav_uid");
        assertEquals(link, link());
        assertEquals(link, owner.get(Listing.PATH).jsonPath().getString("results[0].thumbnail_image"));
        assertTrue(link.matches(s3.url() + "/datasets/thumbnails/" + id + "-" + uid + "/thumbnail-[0-9a-f]{16}\\."
                + extension + "\\?.*"), link);
        Response opened = open(link);
        opened.then().statusCode(200).contentType(type);
        assertArrayEquals(image, opened.asByteArray());
        assertEquals("max-age=31536000, immutable", s3.get(S3Resource.BUCKET, stored().get(0)).cacheControl());
    }

    @ParameterizedTest
    @ValueSource(strings = {"image/png", "application/octet-stream", "text/html", "application/json",
            "multipart/form-data; boundary=x"})
    void theFirstBytesDetermineTheMediaType(String claimed) throws IOException {
        owner.request().contentType(claimed).body(Images.of("image/jpeg", 1_000)).put(path()).then().statusCode(200);
        assertEquals("image/jpeg", s3.get(S3Resource.BUCKET, stored().get(0)).contentType());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "<svg xmlns='http://www.w3.org/2000/svg'/>", "GIF89a......", "RIFF1234WAVEfmt ",
            "\u0089PNG\r\n\u001A\r", "<html><script>alert(1)</script>"})
    void aBodyThatIsNotAnImageIsRefused(String body) {
        String before = link();
        put(owner, body.getBytes(StandardCharsets.ISO_8859_1)).then().statusCode(415)
                .body("detail", equalTo("The body is not a JPEG, PNG or WebP image."));
        assertEquals(before, link());
        assertEquals(List.of(), stored());
    }

    @Test
    void theLargestImageIsAcceptedAndALargerOneIsRefusedBeforeItsBody() throws IOException {
        put(owner, Images.of("image/png", WithStorage.MAX_THUMBNAIL_SIZE)).then().statusCode(200);
        put(owner, Images.of("image/png", WithStorage.MAX_THUMBNAIL_SIZE + 1)).then().statusCode(413)
                .body("detail", equalTo("The image is larger than 1048576 bytes."));
        try (RawConnection connection = new RawConnection(service)) {
            assertEquals(413, connection.write(head("Content-Length: 9999999999\r\nExpect: 100-continue")).read()
                    .status());
        }
        assertEquals(1, stored().size());
    }

    private String head(String headers) {
        return "PUT " + path() + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token " + owner.key() + "\r\n"
                + headers + "\r\n\r\n";
    }

    @Test
    void aBodyNeedsALengthAndBytes() throws IOException {
        put(owner, new byte[0]).then().statusCode(400).body("detail", equalTo("The body is empty."));
        try (RawConnection connection = new RawConnection(service)) {
            RawConnection.Answer answer = connection.write(head("Transfer-Encoding: chunked") + "1\r\nx\r\n0\r\n\r\n")
                    .read();
            assertEquals(411, answer.status());
            assertEquals("{\"detail\":\"Content-Length is missing.\"}", answer.body());
            assertEquals(400, connection.write(head("Content-Length: 0")).read().status());
        }
        assertEquals(List.of(), stored());
    }

    @Test
    void aClientThatWaitsGets100AndCanReuseTheConnection() throws IOException {
        try (RawConnection connection = new RawConnection(service)) {
            for (int i = 0; i < 3; i++) {
                assertEquals(100,
                        connection.write(head("Content-Length: 12\r\nExpect: 100-continue")).read().status());
                assertEquals(200, connection.write("RIFF1234WEBP").read().status());
                assertEquals(415, connection.write(head("Content-Length: 12") + "RIFF1234WAVE").read().status());
            }
        }
        assertEquals(3, stored().size());
    }

    @ParameterizedTest
    @CsvSource({"415,1048576,GIF89a......", "413,3000000,RIFF1234WEBP"})
    void aClientRefusedDuringTheBodyGetsTheErrorAndCanReuseTheConnection(int status, int length, String beginning)
            throws IOException {
        String rest = "x".repeat(length - beginning.length());
        try (RawConnection connection = new RawConnection(service)) {
            for (int i = 0; i < 3; i++) {
                assertEquals(status,
                        connection.write(head("Content-Length: " + length) + beginning).read().status());
                connection.write(rest);
                assertEquals(200, connection.write(head("Content-Length: 12") + "RIFF1234WEBP").read().status());
            }
        }
        assertEquals(3, stored().size());
    }

    @Test
    void anImageMayArriveByteByByte() throws IOException {
        byte[] image = Images.of("image/png", 40);
        try (RawConnection connection = new RawConnection(service)) {
            connection.write(head("Content-Length: 40"));
            for (byte b : image) {
                connection.write(new String(new byte[]{b}, StandardCharsets.ISO_8859_1));
            }
            assertEquals(200, connection.read().status());
        }
        assertArrayEquals(image, s3.get(S3Resource.BUCKET, stored().get(0)).content());
    }

    @Test
    void anAbortedUploadStoresNothing() throws IOException {
        String before = link();
        String image = new String(Images.of("image/jpeg", 200_000), StandardCharsets.ISO_8859_1);
        for (int sent : new int[]{3, 100_000}) {
            try (RawConnection connection = new RawConnection(service)) {
                connection.write(head("Content-Length: 200000") + image.substring(0, sent));
            }
        }
        assertEquals(before, link());
        String uid = put(owner, Images.of("image/jpeg", 50)).then().statusCode(200).extract().path("uav_uid");
        // The storage of the tests may keep a part of a request that breaks off, which S3 does not.
        List<Integer> whole = new ArrayList<>();
        for (String key : stored()) {
            int size = s3.get(S3Resource.BUCKET, key).content().length;
            if (key.contains(uid) && (size == 50 || size >= 200_000)) {
                whole.add(size);
            }
        }
        assertEquals(List.of(50), whole);
    }

    @Test
    void onlyTheOwnerAndAdminsMayUploadAndAHiddenDatasetIsNotFound() {
        byte[] image = Images.of("image/jpeg", 100);
        Caller other = Caller.writer("Bea");
        put(Caller.anonymous(), image).then().statusCode(401);
        put(owner.token("reader"), image).then().statusCode(403);
        put(other, image).then().statusCode(403);
        owner.patch(Listing.PATH + id + "/", "{\"is_private\":true}").then().statusCode(200);
        put(other, image).then().statusCode(404).body("detail", equalTo("No Dataset matches the given query."));
        assertEquals(List.of(), stored());
        put(Caller.admin(), image).then().statusCode(200);
        put(owner, image).then().statusCode(200);
        assertEquals(2, stored().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "999999", "abc", "-1", "99999999999999999999"})
    void anUploadToAnUnknownDatasetIsNotFound(String number) {
        owner.request().body(Images.of("image/jpeg", 100)).put(Listing.PATH + number + "/thumbnail/").then()
                .statusCode(404);
        assertEquals(List.of(), stored());
    }

    @Test
    void aStaleETagIsRefusedAndAnUploadChangesTheETag() {
        byte[] image = Images.of("image/jpeg", 100);
        String tag = owner.get(Listing.PATH + id + "/").header("ETag");
        Response answer = owner.request().header("If-Match", tag).body(image).put(path());
        answer.then().statusCode(200);
        assertNotEquals(tag, answer.header("ETag"));
        owner.request().header("If-Match", tag).body(image).put(path()).then().statusCode(412);
        assertEquals(1, stored().size());
    }

    /** Makes a change between the 100 of the service and the body of the upload. */
    private RawConnection.Answer putAfter(String headers, Runnable change) throws IOException {
        try (RawConnection connection = new RawConnection(service)) {
            String expecting = "Content-Length: 12\r\nExpect: 100-continue" + headers;
            assertEquals(100, connection.write(head(expecting)).read().status());
            change.run();
            return connection.write("RIFF1234WEBP").read();
        }
    }

    @Test
    void aDatasetThatIsDeletedDuringTheUploadGetsNoThumbnail() throws IOException {
        RawConnection.Answer answer = putAfter("",
                () -> owner.delete(Listing.PATH + id + "/").then().statusCode(204));
        assertEquals(404, answer.status());
        assertEquals("{\"detail\":\"No Dataset matches the given query.\"}", answer.body());
        assertNull(catalogue.sql("select thumbnail_key from dataset").get(0).getString(0));
    }

    @Test
    void aDatasetWithAnotherOwnerAfterTheUploadGetsNoThumbnail() throws IOException {
        Caller other = Caller.writer("Bea");
        RawConnection.Answer answer = putAfter("", () -> catalogue.sql(
                "update dataset set owner_id = " + other.id() + ", owner_name = 'Bea'"));
        assertEquals(403, answer.status());
        assertNull(catalogue.sql("select thumbnail_key from dataset").get(0).getString(0));
    }

    @Test
    void anETagThatIsStaleAfterTheUploadIsRefused() throws IOException {
        String tag = owner.get(Listing.PATH + id + "/").header("ETag");
        RawConnection.Answer answer = putAfter("\r\nIf-Match: " + tag,
                () -> owner.patch(Listing.PATH + id + "/", "{\"dataset_name\":\"b\"}").then().statusCode(200));
        assertEquals(412, answer.status());
        assertNull(catalogue.sql("select thumbnail_key from dataset").get(0).getString(0));
    }

    @Test
    void otherChangesDuringTheUploadAreKept() throws IOException {
        RawConnection.Answer answer = putAfter("",
                () -> owner.patch(Listing.PATH + id + "/", "{\"dataset_name\":\"b\"}").then().statusCode(200));
        assertEquals(200, answer.status());
        Response dataset = owner.get(Listing.PATH + id + "/");
        dataset.then().body("dataset_name", equalTo("b"));
        assertEquals(List.of(catalogue.sql("select thumbnail_key from dataset").get(0).getString(0)), stored());
    }

    @Test
    void eachImageIsANewObjectAndDeletingTheDatasetKeepsTheObjects() {
        put(owner, Images.of("image/jpeg", 100)).then().statusCode(200);
        String first = link();
        put(owner, Images.of("image/jpeg", 100)).then().statusCode(200);
        assertNotEquals(first, link());
        open(first).then().statusCode(200);
        owner.delete(Listing.PATH + id + "/").then().statusCode(204);
        put(owner, Images.of("image/jpeg", 100)).then().statusCode(404);
        assertEquals(2, stored().size());
    }

    @Test
    void theAddressSupportsOnlyReadsAndPut() {
        owner.post(path(), "{}").then().statusCode(405).header("Allow", "GET, PUT, HEAD, OPTIONS");
        owner.delete(path()).then().statusCode(405);
        owner.request().options(path()).then().statusCode(200).header("Allow", "GET, PUT, HEAD, OPTIONS")
                .body("parses", equalTo(List.of("image/jpeg", "image/png", "image/webp")));
        owner.request().body(Images.of("image/jpeg", 100)).put(Listing.PATH + id + "/thumbnail").then()
                .statusCode(200);
        owner.request().accept("image/jpeg").body(Images.of("image/jpeg", 100)).put(path()).then().statusCode(406);
    }

    private Response read(Caller caller, String method) {
        return caller.request().redirects().follow(false).request(method, path());
    }

    @Test
    void theAddressRedirectsToALinkThatOpensTheNewestImage() throws IOException {
        for (String type : List.of("image/jpeg", "image/png")) {
            byte[] image = Images.of(type, 1_000);
            put(owner, image).then().statusCode(200);
            Response answer = read(Caller.anonymous(), "GET");
            answer.then().statusCode(302).header("Location", link()).contentType("").body(emptyString());
            Response opened = open(answer.header("Location"));
            opened.then().statusCode(200).contentType(type);
            assertArrayEquals(image, opened.asByteArray());
        }
    }

    @Test
    void theItemOfTheCatalogueNamesTheAddressAndTheTypeOfTheImage() throws IOException {
        put(owner, Images.of("image/png", 1_000)).then().statusCode(200);
        JsonPath asset = owner.get("/stac/collections/datasets/items/" + id).jsonPath().setRootPath("assets.thumbnail");
        assertTrue(asset.getString("href").endsWith(path()), asset.getString("href"));
        open(Listing.client().get(asset.getString("href")).header("Location")).then().statusCode(200)
                .contentType(asset.getString("type"));
    }

    @Test
    void aDatasetWithoutAThumbnailRedirectsToThePlaceholder() {
        String link = read(owner, "GET").header("Location");
        assertEquals(link(), link);
        assertTrue(link.startsWith(s3.url() + "/datasets/placeholder/thumbnail.png?"), link);
    }

    @Test
    void headAnswersTheHeadersOfGet() {
        Headers get = read(owner, "GET").headers();
        Response head = read(owner, "HEAD");
        head.then().statusCode(302);
        // The response to HEAD may omit the length.
        get.asList().stream().map(Header::getName).filter(name -> !name.matches("X-Request-Id|content-length|date"))
                .forEach(name -> assertEquals(get.getValues(name), head.headers().getValues(name), name));
    }

    @Test
    void theRedirectMayBeCachedForHalfOfTheTimeThatTheLinkRemainsValid() {
        for (int minute = 0; minute < 60; minute += 7) {
            clock.setAfterStart(Duration.ofMinutes(minute));
            Response answer = read(Caller.anonymous(), "GET");
            long remaining = Long.parseLong(answer.header("Location").replaceAll(".*&Expires=(\\d+).*", "$1"))
                    - clock.instant().getEpochSecond();
            assertTrue(remaining >= 1_800, () -> remaining + " seconds are left");
            assertEquals("public, max-age=" + remaining / 2, answer.header("Cache-Control"));
            assertEquals("private, max-age=" + remaining / 2, read(owner, "GET").header("Cache-Control"));
            assertTrue(answer.headers().getValues("Vary").contains("Authorization"));
        }
    }

    @Test
    void theRedirectOfAHiddenDatasetIsNotFound() {
        Caller other = Caller.reader("Bea");
        owner.patch(Listing.PATH + id + "/", "{\"is_private\":true}").then().statusCode(200);
        for (Caller caller : List.of(Caller.anonymous(), other)) {
            for (String method : List.of("GET", "HEAD")) {
                read(caller, method).then().statusCode(404).header("Location", nullValue())
                        .header("Cache-Control", "no-store");
            }
            assertEquals(caller.get(Listing.PATH + id + "/").asString(), read(caller, "GET").asString());
        }
        read(owner.token("reader"), "GET").then().statusCode(302);
        read(Caller.admin(), "GET").then().statusCode(302);
        owner.delete(Listing.PATH + id + "/").then().statusCode(204);
        read(owner, "GET").then().statusCode(404);
        for (String number : List.of("0", "999999", "abc", "-1", "99999999999999999999")) {
            owner.get(Listing.PATH + number + "/thumbnail/").then().statusCode(404)
                    .body("detail", equalTo("No Dataset matches the given query."));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "image/*", "image/png", "image/avif,image/webp,image/apng,*/*;q=0.8",
            "application/json", "text/html,*/*;q=0.1"})
    void aClientThatAcceptsImagesOrJsonIsRedirected(String accept) {
        owner.request().accept(accept).redirects().follow(false).get(path()).then().statusCode(302);
        owner.request().accept(accept).get(Listing.PATH + "0/thumbnail/").then().statusCode(404)
                .contentType("application/json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1/2/thumbnail/", "1/thumbnail/x/", "1/thumbnail/thumbnail/", "1/thumbnails/"})
    void aSimilarAddressIsNotFound(String path) {
        owner.request().body(Images.of("image/jpeg", 100)).put(Listing.PATH + path).then().statusCode(404)
                .header("Allow", nullValue());
        owner.get(Listing.PATH + path.substring(0, path.length() - 1)).then().statusCode(404);
    }

    @Test
    void anUploadedThumbnailSurvivesAnExportAndAnImport() {
        put(owner, Images.of("image/jpeg", 100)).then().statusCode(200);
        String line = Caller.admin().request().accept("application/x-ndjson").get(Listing.PATH).asString();
        catalogue.replaceWith();
        Caller.admin().send("POST", Listing.PATH, "application/x-ndjson", line).then().statusCode(200);
        open(Caller.admin().get(Listing.PATH).jsonPath().getString("results[0].thumbnail_image")).then()
                .statusCode(200);
    }
}
