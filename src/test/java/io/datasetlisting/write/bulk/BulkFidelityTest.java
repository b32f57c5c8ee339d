package io.datasetlisting.write.bulk;

import static io.datasetlisting.support.Bulk.exported;
import static io.datasetlisting.support.Bulk.importAll;
import static io.datasetlisting.support.Bulk.line;
import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Bulk.Outcome;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.ErrorLog;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Tests that an import stores all values of its lines, and that an export returns the same lines. */
@QuarkusTest
class BulkFidelityTest {

    private static final String OWNER_IS_ANOTHER = "{\"user\":[\"This id or this name belongs to another account here.\"]}";
    private static final String REQUIRED = "[\"This field is required.\"]";

    @Inject
    Catalogue catalogue;

    @BeforeEach
    void emptyCatalogue() {
        catalogue.replaceWith();
    }

    @Test
    void anExportThatIsImportedIsExportedUnchanged() {
        catalogue.replaceWith(Stream.concat(generated(1_500).stream(), Stream.of(
                dataset(1, d -> {
                    d.isDeleted = true;
                    d.isPrivate = true;
                    d.coordinates = null;
                    d.datasetName = " \" \\ 🛰\t岩 ";
                    d.ownerId = 4_711;
                    d.ownerName = "a name  with 12 spaces 5";
                    d.workspace = 0;
                    d.capturedDate = java.time.Instant.parse("0001-01-01T00:00:00Z");
                    d.latestAdjustmentStatus = " odd ";
                    d.latestAdjustmentId = "\u2028";
                    d.cumulativeAdjustment = -1.0e-300;
                    d.bandStats = "{\"dsm\": {\"b1\": {\"max\": 1" + "0".repeat(300)
                            + ".0, \"min\": 0.0, \"mean\": 0.1,"
                            + " \"stddev\": 1e-300}}, \"dtm\": {}, \"ortho\": {}, \"multispec_ortho\": {\"b1\":"
                            + " {\"max\": 1.0, \"min\": 0.0, \"mean\": 0.5, \"stddev\": 1.0},"
                            + " \"band_descr\": {\"a \\\"label\\\": , \\\\\": 1}}}";
                })))
                .toList());
        List<String> before = exported(Caller.admin(), "");
        String rows = catalogue.rowVersions();
        assertEquals(Outcome.of(0, 1_501), importAll(String.join("\n", before)));
        assertEquals(rows, catalogue.rowVersions(), "an equal dataset is not written");
        assertEquals(before, exported(Caller.admin(), ""));
        catalogue.replaceWith();
        assertEquals(Outcome.of(1_501, 0), importAll(String.join("\n", before)));
        assertEquals(before, exported(Caller.admin(), ""));
    }

    @Test
    void anImportStoresEveryFieldOfALine() {
        JsonObject full = line(10).put("uav_uid", "0f8fad5b-d9cb-469f-a165-70867728950e").put("user", "Bea Maria 12")
                .put("workspace", 99)
                .put("dataset_name", "  as it is  ").put("category", List.of("Forest", "Desert"))
                .put("captured_date", "1999-12-31T23:59:59Z").put("is_private", true).put("is_shareable", true)
                .put("available_rasters", List.of("ortho", "dtm")).put("is_deleted", true).putNull("gcps_file")
                .put("band_stats", new JsonObject("{\"dsm\":{},\"dtm\":{},\"ortho\":{}}"))
                .put("bbox", List.of(-1.5, -2.5, 3.5, 4.5)).put("coordinates", List.of(0.5, 0.25))
                .put("cant_orthomosaic", true).put("is_dem_processing", true).put("cumulative_adjustment", -2.25)
                .put("latest_adjustment_status", "failed").put("latest_adjustment_id", "a1")
                .put("description", "several\nlines").put("tags", List.of("a, \"b\"", "NULL", "\\{}"))
                .put("data_credits", "c").put("data_captured_by", "Bea").put("institution_name", "i")
                .put("location_name", "l").put("license", "CC-BY-4.0").put("citation", "cite\nme")
                .put("doi", "10.5281/z")
                .put("rasters", new JsonObject().put("ortho", "odm/ortho.tif"));
        assertEquals(Outcome.of(1, 0), importAll(full));
        assertEquals(full, stored());
        JsonObject changing = line(10).put("uav_uid", full.getString("uav_uid"));
        assertEquals(Outcome.of(0, 1), importAll(changing));
        full.fieldNames().forEach(field -> {
            changing.put(field, full.getValue(field));
            assertEquals(Outcome.of(0, 1), importAll(changing));
            assertEquals(new JsonObject().put(field, full.getValue(field)),
                    new JsonObject().put(field, stored().getValue(field)));
        });
        assertEquals(full, stored());
    }

    private static JsonObject stored() {
        JsonObject stored = new JsonObject(exported(Caller.admin(), "").get(0));
        stored.remove("thumbnail_image");
        return stored;
    }

    /** The listing and exports show whole seconds. */
    @Test
    void anImportKeepsFractionsOfSeconds() {
        assertEquals(Outcome.of(1, 0), importAll(line(10).put("captured_date", "1999-12-31T23:59:59.1234567Z")));
        assertEquals("1999-12-31T23:59:59Z",
                new JsonObject(exported(Caller.admin(), "").get(0)).getString("captured_date"));
        Caller.anonymous().get("/stac/collections/datasets/items/10").then().statusCode(200)
                .body("properties.datetime", equalTo("1999-12-31T23:59:59.123456Z"));
    }

    @Test
    void aReplacedDatasetKeepsNoValueOfTheEarlierDataset() {
        catalogue.replaceWith(dataset(10, d -> {
            d.isPrivate = d.isDeleted = d.isShareable = d.cantOrthomosaic = true;
            d.thumbnailKey = "a.jpg";
            d.bbox = new double[]{1, 2, 3, 4};
            d.latestAdjustmentId = d.description = d.dataCredits = d.locationName = "x";
            d.tags = new String[]{"x"};
        }), dataset(11));
        long version = version(10);
        assertEquals(Outcome.of(0, 1), importAll(line(10).put("coordinates", new JsonArray())));
        JsonObject replaced = new JsonObject(exported(Caller.admin(), "").get(0));
        importAll(line(12).put("coordinates", new JsonArray()));
        JsonObject fresh = new JsonObject(exported(Caller.admin(), "").get(2));
        assertEquals(fresh.put("id", 10).put("uav_uid", replaced.getString("uav_uid")), replaced);
        assertNotEquals(version, version(10));
        assertEquals(0, version(11));
    }

    private long version(long id) {
        return catalogue.sql("select version from dataset where id = " + id).get(0).getLong(0);
    }

    @Test
    void aLineMustHaveTheRequiredFields() {
        assertEquals(Outcome.without(Map.of(1, "{\"id\":" + REQUIRED + ",\"uav_uid\":" + REQUIRED + ",\"user\":"
                + REQUIRED + ",\"workspace\":" + REQUIRED + ",\"captured_date\":" + REQUIRED + "}"), 0, 0),
                importAll("{}"));
        JsonObject draft = line(10);
        draft.remove("coordinates");
        assertEquals(Outcome.of(1, 0), importAll(draft));
        assertTrue(exported(Caller.admin(), "").get(0).contains("\"coordinates\":[]"));
        assertEquals(List.of(), exported(Caller.anonymous(), ""));
    }

    @Test
    void valuesThatCannotBeStoredAreRefused() {
        assertEquals(Map.of(
                1, "{\"gcps_file\":[\"Only null can be kept.\"]}",
                2, "{\"uav_uid\":[\"Must be a valid UUID.\"]}",
                3, "{\"user\":[\"Expected a username, one space, and the user's id.\"]}",
                4, "{\"id\":[\"Ensure this value is greater than or equal to 1.\"]}",
                5, "{\"thumbnail_image\":[\"Expected a link to an object in the file storage.\"]}",
                6, "{\"is_deleted\":[\"Must be a valid boolean.\"]}"),
                importAll(line(10).put("gcps_file", "a.txt"), line(11).put("uav_uid", "1-2-3-4-5"),
                        line(12).put("user", "Ada"), line(0), line(13).put("thumbnail_image", "http://localhost:9000/"),
                        line(14).put("is_deleted", "perhaps")).refusals());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Ada van Dyk", "7", " 7", "Ada 7x", "Ada -7", "Ada 7 ", "Ada 99999999999999999999", "Ada "})
    void aUserThatIsNotAUsernameASpaceAndAnIdIsRefused(String user) {
        assertEquals(1, importAll(line(10).put("user", user)).refused());
    }

    @Test
    void anImportCreatesAnAccountAndAWorkspaceForEachOwner() {
        assertEquals(Outcome.of(3, 0), importAll(line(10).put("user", "Bea 41"), line(11).put("user", "Cy 40"),
                line(12).put("user", "Bea 41")));
        List<Map<String, Object>> accounts = Caller.admin().get(Caller.ACCOUNTS).jsonPath().getList("results");
        assertEquals(List.of("operator", "Cy", "Bea"),
                accounts.stream().map(account -> account.get("username")).toList());
        assertEquals(3, accounts.stream().map(account -> account.get("workspace")).distinct().count());
        assertEquals(List.of(10, 12), Caller.existing(41, "Bea").token("writer").get("/api/dataset/?ordering=user")
                .jsonPath().getList("results.findAll { it.user == 'Bea 41' }.id"));
    }

    @Test
    void aUserWhoseIdOrNameBelongsToAnotherAccountIsRefused() {
        importAll(line(10));
        assertEquals(Outcome.without(Map.of(1, OWNER_IS_ANOTHER, 2, OWNER_IS_ANOTHER, 4,
                "{\"user\":[\"The account \\\"Ada van Dyk\\\" has this name in another spelling.\"]}"), 1, 1),
                importAll(line(11).put("user", "Somebody 7"), line(12).put("user", "Ada van Dyk 8"), line(10),
                        line(10).put("user", "ada van dyk 7"), line(13).put("user", "Somebody 9")));
        assertEquals(List.of("Ada van Dyk 7", "Somebody 9"), exported(Caller.admin(), "").stream()
                .map(line -> new JsonObject(line).getString("user")).toList());
    }

    @Test
    void aUserWhoseNameDiffersOnlyInCaseOrNormalFormFromAnotherAccountIsRefused() {
        importAll(line(10), line(11).put("user", "Ｂｅａ\u00a0Maria 8"));
        String ada = "{\"user\":[\"The account \\\"Ada van Dyk\\\" has this name in another spelling.\"]}";
        assertEquals(Outcome.without(Map.of(1, ada, 2, ada, 3, ada), 1, 0),
                importAll(line(12).put("user", "ADA VAN DYK 7"), line(12).put("user", "ada van dyk 9"),
                        line(12).put("user", "Ada\u2003van\u00a0DYK 9"), line(12).put("user", " Bea Maria 8")));
        assertEquals(List.of("Ada van Dyk 7", "Bea Maria 8", "Bea Maria 8"), exported(Caller.admin(), "").stream()
                .map(line -> new JsonObject(line).getString("user")).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"A\nda 7", "A\u0085da 7", "A\u200bda 7", "\u202eAda 7", "Ada\u2028x 7", "A\ufe0fda 7"})
    void aUserWhoseNameHasInvisibleCharactersIsRefused(String user) {
        assertTrue(importAll(line(10).put("user", user)).refusals().get(1)
                .matches("\\{\"user\":\\[\"Control and other invisible characters are not allowed: U\\+.*"));
    }

    private static final long LARGEST = 9_007_199_254_740_991L;

    /** The sequences start from 1 again in an empty database. */
    private void restartSequences(long next) {
        catalogue.sql("select setval('dataset_id_seq', %1$d, false), setval('account_id_seq', %1$d, false), "
                .formatted(next) + "setval('account_workspace_seq', %d, false)".formatted(next));
    }

    @Test
    void theFirstNumbersAfterAnImportDoNotCollideWithItsNumbers() {
        long workspace = catalogue.sql("select max(workspace) from account").get(0).getLong(0);
        catalogue.sql("update account set workspace = 1000000");
        restartSequences(1);
        try {
            assertEquals(Outcome.of(1, 0), importAll(line(1).put("user", "first 1").put("workspace", 1)));
            Caller second = Caller.writer("second");
            assertEquals(2, second.id());
            assertEquals(3, second.workspace());
            assertEquals(2, second.create("{}"));
        } finally {
            catalogue.replaceWith();
            catalogue.sql("update account set workspace = " + workspace);
            restartSequences(1_000_000);
        }
    }

    @Test
    void noNumberAboveTheLargestIsGivenOut() {
        long dataset = catalogue.sql("select last_value from dataset_id_seq").get(0).getLong(0);
        long account = catalogue.sql("select last_value from account_id_seq").get(0).getLong(0);
        Caller early = Caller.writer("early");
        try (ErrorLog log = ErrorLog.open()) {
            assertEquals(Map.of(
                    1, "{\"id\":[\"Ensure this value is less than or equal to 9007199254740991.\"]}",
                    2, "{\"user\":[\"Expected a username, one space, and the user's id.\"]}",
                    3, "{\"workspace\":[\"Ensure this value is less than or equal to 9007199254740991.\"]}"),
                    importAll(line(10).put("id", LARGEST + 1), line(10).put("user", "Bea " + (LARGEST + 1)),
                            line(10).put("workspace", LARGEST + 1)).refusals());
            // The largest numbers do not use up the others.
            assertEquals(Outcome.of(2, 0), importAll(line(LARGEST), line(12).put("user", "Bea " + LARGEST)));
            assertTrue(early.create("{}") < 2_000_000);
            assertTrue(Caller.account("punctual").id() < 2_000_000);
            catalogue.sql("select setval('dataset_id_seq', %1$d), setval('account_id_seq', %1$d), "
                    .formatted(LARGEST) + "setval('account_workspace_seq', %d)".formatted(LARGEST));
            assertEquals("{\"detail\":\"No number is left for a new dataset, account or workspace.\"}",
                    early.post("/api/dataset/", "{}").then().statusCode(409).extract().asString());
            Caller.admin().post(Caller.ACCOUNTS, "{\"username\":\"late\"}").then().statusCode(409);
            assertEquals(Outcome.of(1, 0), importAll(line(13).put("workspace", LARGEST)));
            assertEquals(Outcome.without(Map.of(1, "{\"user\":[\"No workspace is left for this account.\"]}"), 1, 1),
                    importAll(line(14).put("user", "Cy 42"), line(12).put("user", "Bea " + LARGEST), line(15)));
            List<String> before = exported(Caller.admin(), "");
            assertEquals(Outcome.of(0, 5), importAll(String.join("\n", before)));
            assertEquals(before, exported(Caller.admin(), ""));
            log.assertEmpty();
        } finally {
            restartSequences(2_000_000);
        }
        assertTrue(dataset < 2_000_000 && account < 2_000_000);
    }

    @Test
    void newIdsAndWorkspacesAreHigherThanImportedOnes() {
        Caller early = Caller.writer("early");
        long id = early.create("{}") + 1_000;
        long user = early.id() + 1_000;
        long workspace = early.workspace() + 1_000;
        importAll(line(id).put("user", "Bea " + user).put("workspace", workspace), line(id - 500));
        assertTrue(early.create("{}") > id);
        Caller late = Caller.writer("late");
        assertTrue(late.id() > user, late::toString);
        assertTrue(late.workspace() > workspace, late::toString);
        assertTrue(Caller.existing(user, "Bea").token("writer").get("/api/account/me/").jsonPath()
                .getLong("workspace") != late.workspace());
        importAll(line(1));
        assertTrue(early.create("{}") > id);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            http://localhost:9000/datasets/a/1-x/b.jpg?AWSAccessKeyId=x&Signature=y&Expires=1,   a/1-x/b.jpg
            https://elsewhere.example:8443/datasets/a%20b%2Bc%25d/%C3%BC.jpg?Signature=y,        a b+c%d/ü.jpg
            https://elsewhere.example/datasets/a+b.jpg#x?y,                                      a+b.jpg
            https://elsewhere.example/datasets/%F0%9F%9B%B0%3F%23.jpg?x-amz-security-token=z,    🛰?#.jpg
            datasets/a.jpg,                                                                      datasets/a.jpg
            """)
    void anImportStoresTheThumbnailsObjectKeyWithoutTheSignature(String link, String key) {
        assertEquals(Outcome.of(1, 0), importAll(line(10).put("thumbnail_image", link)));
        assertEquals(key, thumbnailKey());
        String out = new JsonObject(exported(Caller.admin(), "").get(0)).getString("thumbnail_image");
        assertTrue(out.matches("http://localhost:9000/datasets/[^?]+\\?AWSAccessKeyId=development&Signature=.*"), out);
        importAll(line(10).put("thumbnail_image", out));
        assertEquals(key, thumbnailKey());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/../../etc", "http://localhost:9000/datasets/../x.jpg", "a/./b.jpg", "a/%2E%2e/b.jpg",
            "a//b.jpg", "http://localhost:9000/datasets//a.jpg", "https://elsewhere.example//a.jpg", "a/", ".", "..",
            "a%0Ab.jpg", "a\tb.jpg", "a%7Fb", "a%C2%85b", "a%5Cb.jpg", "a\\b.jpg"})
    void aThumbnailThatIsNoNormalObjectKeyIsRefused(String link) {
        assertEquals(Outcome.without(Map.of(1,
                "{\"thumbnail_image\":[\"Expected a link to an object in the file storage.\"]}"), 0, 0),
                importAll(line(10).put("thumbnail_image", link)));
    }

    @Test
    void aThumbnailsObjectKeyHas1024BytesAtMost() {
        assertEquals(Outcome.of(1, 0), importAll(line(10).put("thumbnail_image", "ü".repeat(512))));
        assertEquals("ü".repeat(512), thumbnailKey());
        assertEquals(Outcome.of(0, 1), importAll(exported(Caller.admin(), "").get(0)));
        assertEquals(1, importAll(line(10).put("thumbnail_image", "ü".repeat(512) + "a")).refused());
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"http://localhost:9000/datasets/placeholder/thumbnail.png?Signature=x&Expires=1"})
    void aLineWithoutAThumbnailOrWithThePlaceholderStoresNoKey(String link) {
        importAll(line(10).put("thumbnail_image", link));
        assertNull(thumbnailKey());
        importAll(exported(Caller.admin(), "").get(0));
        assertNull(thumbnailKey());
    }

    private String thumbnailKey() {
        return catalogue.sql("select thumbnail_key from dataset").get(0).getString(0);
    }

    /** The limit of a username counts Unicode code points, not UTF-16 units. */
    @Test
    void ownersWithLongNamesInAnyScriptAreImported() {
        Caller.writer("🛰".repeat(100)).create("{}");
        assertEquals(Outcome.of(0, 1), importAll(exported(Caller.admin(), "").get(0)));
    }

    /**
     * PostgreSQL writes 1.2e-307 without an exponent, so that an exported line may be longer than the body of the
     * create.
     */
    @Test
    void numbersThatAnExportWritesWithMoreDigitsAreImported() {
        String band = "{\"max\":%1$s,\"min\":%1$s,\"mean\":%1$s,\"stddev\":%1$s}"
                .formatted("1.2e-307");
        Caller.writer("Bea").create("{\"band_stats\":{\"multispec_ortho\":{" + IntStream.rangeClosed(1, 90)
                .mapToObj(i -> "\"b" + i + "\":" + band).collect(Collectors.joining(","))
                + ",\"band_descr\":{\"red\":1}}}}");
        assertEquals(Outcome.of(0, 1), importAll(exported(Caller.admin(), "").get(0)));
    }
}
