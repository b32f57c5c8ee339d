package io.datasetlisting.faces.api;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.catalogue.query.FilterModel;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/**
 * Asks each address as an anonymous caller, and what names one dataset also as a writer, with values of private datasets, drafts,
 * deleted datasets and accounts without a public dataset, and with values that nothing has. Status, headers and body must be the
 * same, apart from the value itself.
 */
@QuarkusTest
@TestProfile(WithStorage.class)
class PrivateValuesTest {

    private static final long PRIVATE = 200_002;
    private static final long ABSENT = 800_002;
    private static final Instant CAPTURED = Instant.parse("1999-01-02T03:04:05Z");
    private static final String WORD = "hiddenmarvel";
    private static final String OWNER = "Zelda Quartz";
    private static final long OWNER_ID = 20_800_209;

    /** Differ between two equal responses. */
    private static final List<String> VOLATILE_HEADERS = List.of("date", "x-request-id");
    private static final List<String> OF_CONTENT = List.of("etag", "content-length");
    /** The text of a position is another one each time. The service gives each problem a number. */
    private static final Pattern VOLATILE = Pattern
            .compile("(\"(?:timeStamp|next|token|instance)\":\")[^\"]*"
                    + "|([?&;](?:since|cursor|token)=)[\\w.%-]{20,}");
    private static final Pattern FILE = Pattern.compile("/(assets|stac/api)/([{]id[}]/)?[^/]+\\.(js|css|svg|json)");

    /** A value of something that an anonymous caller does not see, and one of the same length that nothing has. */
    private record Pair(String hidden, String absent) {
    }

    /** A request, with {@code *} in the place of the value. */
    private record Question(String method, String target, String body) {
    }

    /** One of so many pairs is asked for. */
    private static final int ONE_OF = RandomTests.times(8, 1);

    /** No word resembles the name of a place, which an empty list of any caller suggests. */
    private static final List<Pair> WORDS = List.of(new Pair(WORD, "rzqkwvuxpfyd"), new Pair("hiddenm", "rzqkwvu"),
            new Pair("hidenmarvel", "rzqwvuxpfyd"), new Pair("enmarvel", "kwvuxpfy"),
            new Pair("draftword", "rzqkwvuxp"),
            new Pair("deletedword", "rzqkwvuxpfy"));
    private static final List<Pair> USERS = List.of(new Pair(OWNER, "Xerxo Blintz"), new Pair("Zelda", "Xerxo"),
            new Pair("Quentin Noset", "Xerxox Blintz"), new Pair(Long.toString(OWNER_ID), "80800809"));
    private static final List<Pair> IDS = Stream.of(0, 1, 2, 3)
            .map(i -> new Pair(Long.toString(PRIVATE + i), Long.toString(ABSENT + i))).toList();
    private static final List<Pair> UUIDS = List.of(new Pair(uuid(PRIVATE).toString(), uuid(ABSENT).toString()),
            new Pair(uuid(PRIVATE + 3).toString(), uuid(ABSENT + 3).toString()));
    private static final List<Pair> BOXES = List.of(new Pair("10,10,11,11", "40,40,41,41"),
            new Pair("-21,29,-19,31", "-71,49,-69,51"));
    private static final List<Pair> TIMES = List.of(new Pair("1999-01-02T00:00:00Z/1999-01-03T00:00:00Z",
            "1997-01-02T00:00:00Z/1997-01-03T00:00:00Z"));
    private static final List<Pair> WORKSPACES = List.of(new Pair("71000017", "79000019"));

    private static final List<Pair> DISTANCES = List.of(new Pair("0.0173", "0.0171"));

    /** Wrong and forbidden parameters: whether they are refused must not depend on the value. */
    private static final List<String> WRONG = List.of("mine=true", "in_bbox=x", "bbox=x", "captured_after=zz",
            "datetime=zz", "fields=zz", "page_size=zz", "limit=zz", "format=zz", "ordering=zz",
            "user=" + "a".repeat(300),
            "since=zz", "cursor=zz");

    @TestHTTPResource("/")
    URI root;

    @Inject
    Catalogue catalogue;

    @Inject
    Endpoints endpoints;

    /** Not the one of other tests, which compares each response with the OpenAPI document. */
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, String> differences = new TreeMap<>();
    /** Of a token; null for an anonymous caller. */
    private String key;
    private int asked;
    private final Random random = new Random(RandomTests.seed());

    private static UUID uuid(long id) {
        return new UUID(0x4000, id);
    }

    @BeforeEach
    void fill() {
        Dataset deleted = hidden(3, new double[]{1, 2});
        deleted.isDeleted = true;
        deleted.datasetName = "deletedword";
        Dataset draft = hidden(2, null);
        draft.datasetName = "draftword";
        catalogue.replaceWith(dataset(1), box(hidden(0, new double[]{10.5, 10.5})), hidden(1, new double[]{30, -20}),
                draft, deleted);
        catalogue.sql("insert into account (username) values ('Quentin Noset')");
        catalogue.fold();
    }

    private static Dataset box(Dataset dataset) {
        dataset.bbox = new double[]{10, 10, 11, 11};
        return dataset;
    }

    private static Dataset hidden(long number, double[] coordinates) {
        return dataset(PRIVATE + number, d -> {
            d.datasetName = WORD;
            d.isPrivate = true;
            d.ownerId = OWNER_ID;
            d.ownerName = OWNER;
            d.workspace = 71_000_017;
            d.capturedDate = CAPTURED;
            d.coordinates = coordinates;
            d.rasterHeaders = FilterModel.header("ortho", DISTANCES.get(0).hidden);
        });
    }

    @Test
    void noAnswerDependsOnWhatAnAnonymousCallerDoesNotSee() {
        for (Endpoint endpoint : endpoints.all()) {
            if (FILE.matcher(endpoint.path()).matches()) {
                continue;
            }
            String path = withoutVariables(endpoint.path());
            if (path.contains("{id}")) {
                askById(path.replace("{id}", "*"));
                path = path.replace("{id}", "1");
            }
            askByParameters(path);
        }
        askTiles();
        askWorkspaces();
        askBodies();
        assertTrue(asked > 5_000 / ONE_OF - 500, () -> asked + " pairs of requests");
        assertEquals("", String.join("\n", differences.values()), () -> differences.size() + " of " + asked);
    }

    /** A writer's requests are read further than those of an anonymous caller: their bodies count, too. */
    @Test
    void noAnswerDependsOnWhatAnotherWriterDoesNotSee() {
        key = Caller.writer("Another").key();
        for (Endpoint endpoint : endpoints.all()) {
            if (endpoint.path().contains("{id}") && !FILE.matcher(endpoint.path()).matches()) {
                String target = withoutVariables(endpoint.path()).replace("{id}", "*");
                askById(target);
                for (String method : List.of("POST", "PUT", "PATCH")) {
                    for (String body : List.of("{", "[]", "{\"workspace\":\"x\"}", "{\"uav_uid\":1,\"id\":\"*\"}")) {
                        ask(new Question(method, target, body), IDS);
                    }
                }
            }
        }
        for (String path : List.of(Endpoints.PAGES + Endpoints.SUGGEST, Endpoints.PAGES, Endpoints.DATASETS)) {
            askByParameters(path);
        }
        assertEquals("", String.join("\n", differences.values()), () -> differences.size() + " of " + asked);
    }

    @Test
    void anAnswerIsTheSameWithAndWithoutDatasetsThatTheCallerDoesNotSee() {
        List<String> targets = endpoints.all().stream().map(Endpoint::path)
                .filter(path -> !FILE.matcher(path).matches())
                .map(path -> withoutVariables(path).replace("{id}", "1"))
                .flatMap(path -> Stream
                        .of("", "?q=d", "?q=hiddenm&search=dataset", "?user=Ada+van+Dyk", "?in_bbox=0,0,60,60")
                        .map(query -> path + query))
                .toList();
        List<String> before = targets.stream().map(this::shown).toList();
        catalogue.sql("delete from dataset where id <> 1");
        catalogue.sql("delete from account where id not in (0, 7)");
        catalogue.fold();
        for (int i = 0; i < before.size(); i++) {
            String after = shown(targets.get(i));
            if (!after.equals(before.get(i))) {
                differences.put(targets.get(i), targets.get(i) + '\n' + firstDifference(before.get(i), after));
            }
        }
        assertEquals("", String.join("\n", differences.values()));
    }

    /** The path with a value of each variable but the id. */
    private static String withoutVariables(String path) {
        return path.replaceAll("\\{[xyz]}", "0").replace("{product}", "ortho").replace("{workspace}", "70")
                .replace("{version}", "20261129T131502Z-1a2b3c4d");
    }

    private String shown(String target) {
        // The tag of the feed has an hour.
        return answer(new Question("GET", target, null), "*").replaceAll("-changes\\d+\"", "-changes\"");
    }

    private void askById(String target) {
        for (String method : List.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")) {
            String body = method.startsWith("P") ? "{\"dataset_name\":\"x\"}" : null;
            ask(new Question(method, target, body), IDS);
            ask(new Question(method, target, body), UUIDS);
        }
        WRONG.forEach(wrong -> ask(new Question("GET", target + '?' + wrong, null), IDS));
    }

    private void askByParameters(String path) {
        for (String name : List.of("q", "search")) {
            ask(new Question("GET", path + '?' + name + "=*", null), WORDS);
            WRONG.forEach(
                    wrong -> ask(new Question("GET", path + '?' + name + "=*&" + wrong, null), WORDS.subList(0, 1)));
        }
        ask(new Question("HEAD", path + "?q=*&search=*", null), WORDS.subList(0, 1));
        for (String name : List.of("user", "q")) {
            ask(new Question("GET", path + '?' + name + "=*", null), USERS);
        }
        ask(new Question("GET", path + "?q=*&mine=true", null), USERS);
        for (String name : List.of("ids", "id", "q", "cursor", "since", "with")) {
            ask(new Question("GET", path + '?' + name + "=*", null), IDS);
        }
        for (String name : List.of("q", "ids", "search", "uav_uid")) {
            ask(new Question("GET", path + '?' + name + "=*", null), UUIDS);
        }
        for (String name : List.of("in_bbox", "bbox")) {
            ask(new Question("GET", path + '?' + name + "=*", null), BOXES);
        }
        ask(new Question("GET", path + "?intersects=POLYGON((*))", null), List.of(new Pair(
                "10%2010,11%2010,11%2012,10%2010", "40%2040,41%2040,41%2042,40%2040")));
        ask(new Question("GET", path + "?datetime=*", null), TIMES);
        ask(new Question("GET", path + "?captured_after=*-01-02T00:00:00Z&captured_before=*-01-03T00:00:00Z", null),
                List.of(new Pair("1999", "1997")));
        ask(new Question("GET", path + "?workspace=*", null), WORKSPACES);
        ask(new Question("GET", path + "?gsd_min=*&gsd_max=*", null), DISTANCES);
        ask(new Question("GET", path + "?sortby=-gsd&filter=gsd%3D*", null), DISTANCES);
        ask(new Question("GET", path + "?filter=title%3D'*'", null), WORDS.subList(0, 1));
        ask(new Question("GET", path + "?filter=id%3D'*'", null), IDS.subList(0, 2));
    }

    /** The tiles of a private dataset, and tiles as far from the public one. */
    private void askTiles() {
        ask(new Question("GET", "/tiles/8/*.mvt", null), List.of(new Pair("135/120", "175/120")));
        for (String path : List.of("/stac", "/stac/collections/datasets", "/stac/collections/areas")) {
            ask(new Question("GET", path + "/tiles/WebMercatorQuad/8/120/*", null), List.of(new Pair("135", "175")));
        }
    }

    /** Whether a workspace has private datasets, or no datasets at all. */
    private void askWorkspaces() {
        for (String path : List.of("", "/items", "/items/1", "/queryables", "/aggregate?aggregations=total_count",
                "/tiles/WebMercatorQuad/0/0/0")) {
            ask(new Question("GET", "/stac/collections/workspace-*" + path, null), WORKSPACES);
        }
        for (String query : List.of("/collections?token=workspace-*", "/collections?q=*",
                "/search?collections=workspace-*")) {
            ask(new Question("GET", "/stac" + query, null), WORKSPACES);
        }
    }

    private void askBodies() {
        for (String path : List.of("/stac/search", "/stac/aggregate")) {
            String start = path.endsWith("search") ? "{" : "{\"aggregations\":[\"total_count\"],";
            ask(new Question("POST", path, start + "\"ids\":[\"*\"]}"), IDS);
            ask(new Question("POST", path, start + "\"q\":[\"*\"]}"), WORDS);
            ask(new Question("POST", path, start + "\"bbox\":[*]}"), BOXES);
            ask(new Question("POST", path, start + "\"datetime\":\"*\"}"), TIMES);
            ask(new Question("POST", path,
                    start + "\"filter\":{\"op\":\"=\",\"args\":[{\"property\":\"title\"},\"*\"]}}"), WORDS);
            ask(new Question("POST", path, start + "\"ids\":[\"*\"],\"limit\":\"zz\"}"), IDS.subList(0, 1));
        }
    }

    private void ask(Question question, List<Pair> pairs) {
        for (Pair pair : pairs) {
            if (random.nextInt(ONE_OF) > 0) {
                continue;
            }
            asked++;
            String hidden = answer(question, pair.hidden);
            String absent = answer(question, pair.absent);
            if (!hidden.equals(absent)) {
                differences.putIfAbsent(question.method + question.target,
                        question + " " + pair + "\n" + firstDifference(hidden, absent));
            }
        }
    }

    private static String firstDifference(String one, String other) {
        int i = 0;
        while (i < Math.min(one.length(), other.length()) && one.charAt(i) == other.charAt(i)) {
            i++;
        }
        int start = Math.max(0, i - 100);
        return "  " + one.substring(start, Math.min(one.length(), i + 60)).replace('\n', ' ') + "\n  "
                + other.substring(start, Math.min(other.length(), i + 60)).replace('\n', ' ');
    }

    /** The whole answer, with {@code *} in the place of the value. */
    private String answer(Question question, String value) {
        boolean isQuery = question.target.indexOf('*') > question.target.indexOf('?') && question.target.contains("?");
        HttpRequest.Builder request = HttpRequest.newBuilder(root.resolve(
                question.target.replace("*", isQuery ? PercentEncoding.form(value) : value)));
        if (key != null) {
            request.header("Authorization", "Token " + key);
        }
        if (question.body == null) {
            request.method(question.method, BodyPublishers.noBody());
        } else {
            request.header("Content-Type", Caller.JSON).method(question.method,
                    BodyPublishers.ofString(question.body.replace("*", value)));
        }
        HttpResponse<String> response = send(request.build());
        String body = response.body();
        String shown = withoutValue(VOLATILE.matcher(body).replaceAll("$1$2"), value);
        // The tag and the length are those of a content which shows the value.
        boolean isOfValue = !shown.equals(body) || question.method.equals("HEAD");
        StringBuilder answer = new StringBuilder().append(response.statusCode());
        response.headers().map().forEach((name, values) -> {
            if (!VOLATILE_HEADERS.contains(name) && !(isOfValue && OF_CONTENT.contains(name))) {
                answer.append('\n').append(name).append(": ")
                        .append(withoutValue(VOLATILE.matcher(values.toString()).replaceAll("$1$2"), value));
            }
        });
        return answer.append("\n\n").append(shown).toString();
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String withoutValue(String text, String value) {
        String result = text;
        for (String form : List.of(value, PercentEncoding.form(value),
                PercentEncoding.form(value).replace("+", "%20"))) {
            // The number of a tag may contain the digits of the value. An escape such as %27 may precede the value.
            result = result.replaceAll("(?<!\\d{3})" + Pattern.quote(form) + "(?!\\d{3})", "*");
        }
        return result;
    }
}
