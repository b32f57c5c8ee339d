package io.datasetlisting.catalogue.listing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.datasetlisting.catalogue.listing.ListingModel.Actor;
import io.datasetlisting.catalogue.listing.ListingModel.Match;
import io.datasetlisting.support.Api;
import io.datasetlisting.support.Api.Account;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.Transformer;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsCoverage;
import net.jqwik.api.statistics.StatisticsReport;

/** Sends random sequences of requests of several callers and compares every response with {@link ListingModel}. */
class ListingModelIT {

    /** Without characters that are white space only for Java or only for Python, because names are trimmed. */
    private static final List<String> CHARACTERS = List.of("a", "B", "7", " ", "\t", "\n", "\"", "'", "\\", ",", ":",
            "{", "}", "[", "]", "%", "_", "+", "&", "=", ";", "/", "?", "#", "<", ">", "$1", "%s", "${a}", "None",
            "\u0001",
            "\u007f", "ß", "é", "e\u0301", "İ", "ﬁ", "河", "가", "ย", "ع", "\u202e", "\u200d", "\ufeff", "\uffff", "🛰",
            "👩‍🚀");

    private static final String ADMIN_TOKEN = "admin-token-of-the-model";

    private static EmbeddedPostgres postgres;
    private static ServiceProcess service;
    private static Connection database;
    private static final Map<Actor, Api> SERVICE = new EnumMap<>(Actor.class);
    private static final Map<String, Account> ACCOUNTS = new HashMap<>();

    @BeforeContainer
    static void start() throws IOException, SQLException {
        postgres = EmbeddedPostgres.start();
        // The test deletes rows in the database directly, so that pages must not be cached.
        service = ServiceProcess.start(postgres.getPort() + "/postgres", "-Ddataset.admin-token=" + ADMIN_TOKEN,
                "-Ddataset.cache.max-age=PT0S");
        database = postgres.getPostgresDatabase().getConnection();
        Api anonymous = new Api(service.url().toString(), null);
        Api admin = anonymous.with(ADMIN_TOKEN);
        JsonObject operator = admin.json("/api/account/me/");
        ACCOUNTS.put(Actor.OPERATOR.username, new Account(operator.getLong("id"), operator.getString("username"),
                operator.getLong("workspace")));
        SERVICE.put(Actor.OPERATOR, admin);
        SERVICE.put(Actor.NOBODY, anonymous);
        for (Actor actor : List.of(Actor.ADA, Actor.ADA_READING, Actor.BOB)) {
            Account account = ACCOUNTS.computeIfAbsent(actor.username, admin::account);
            SERVICE.put(actor, admin.as(account, actor.right));
        }
    }

    @AfterContainer
    static void stop() throws IOException {
        service.close();
        postgres.close();
        assertEquals(List.of(), service.log().lines().filter(line -> line.contains(" ERROR ")).toList());
    }

    @Property(tries = 25, shrinking = ShrinkingMode.FULL)
    @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
    void everyResponseAgreesWithTheModel(@ForAll("runs") ActionChain<ListingModelRun> run) {
        run.withInvariant("the listing of every caller", ListingModelRun::compare).run();
        Statistics.label("answers").coverage(ListingModelIT::requireEveryAnswer);
    }

    /** Requires that each status occurs: a run in which every request is refused would prove nothing. */
    private static void requireEveryAnswer(StatisticsCoverage coverage) {
        for (String answer : List.of("POST 201", "POST 401", "POST 403", "PATCH 200", "PATCH 401", "PATCH 403",
                "PATCH 404", "PATCH 412", "PUT 200", "DELETE 204", "DELETE 401", "DELETE 403",
                "DELETE 404", "DELETE 412", "GET 200", "GET 404")) {
            coverage.check(answer).count(count -> count > 0);
        }
    }

    @Provide
    Arbitrary<ActionChain<ListingModelRun>> runs() {
        return ActionChain.startWith(ListingModelIT::emptyCatalogue)
                .withAction(4, creates())
                .withAction(4, changes())
                .withAction(2, deletes())
                .withAction(1, reads())
                .withAction(3, lists())
                .withMaxTransformations(25);
    }

    private static ListingModelRun emptyCatalogue() {
        try (Statement statement = database.createStatement()) {
            statement.execute("delete from dataset");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return new ListingModelRun(SERVICE, new ListingModel(ACCOUNTS));
    }

    private static Action.Independent<ListingModelRun> creates() {
        return () -> Combinators.combine(writers(), fields())
                .as((actor, fields) -> Transformer.mutate(actor + " creates " + fields,
                        run -> run.create(actor, fields)));
    }

    private static Action.Independent<ListingModelRun> changes() {
        return () -> Combinators
                .combine(Arbitraries.of("PATCH", "PATCH", "PUT"), writers(), numbers(), matches(), fields())
                .as((method, actor, number, match, fields) -> Transformer.mutate(
                        "%s: %s of %d, If-Match %s, %s".formatted(actor, method, number, match, fields),
                        run -> run.change(method, actor, number, match, fields)));
    }

    private static Action.Independent<ListingModelRun> deletes() {
        return () -> Combinators.combine(writers(), numbers(), matches())
                .as((actor, number, match) -> Transformer.mutate(
                        "%s deletes %d, If-Match %s".formatted(actor, number, match),
                        run -> run.delete(actor, number, match)));
    }

    private static Action.Independent<ListingModelRun> reads() {
        return () -> Combinators.combine(Arbitraries.of(Actor.class), numbers())
                .as((actor, number) -> Transformer.mutate(actor + " reads " + number,
                        run -> run.read(actor, number)));
    }

    private static Action.Independent<ListingModelRun> lists() {
        return () -> Combinators.combine(Arbitraries.of(Actor.class), orderings(), Arbitraries.integers().between(1, 5))
                .as((actor, ordering, pageSize) -> Transformer.mutate(
                        "%s lists by '%s', %d a page".formatted(actor, ordering, pageSize),
                        run -> run.list(actor, ordering, pageSize)));
    }

    /** Mostly callers that may write. */
    private static Arbitrary<Actor> writers() {
        return Arbitraries.of(Actor.ADA, Actor.ADA, Actor.ADA, Actor.BOB, Actor.BOB, Actor.BOB, Actor.OPERATOR,
                Actor.OPERATOR, Actor.ADA_READING, Actor.NOBODY);
    }

    private static Arbitrary<Integer> numbers() {
        return Arbitraries.integers().between(0, 9);
    }

    private static Arbitrary<Match> matches() {
        return Arbitraries.of(Match.ABSENT, Match.ABSENT, Match.CURRENT, Match.STALE);
    }

    private static Arbitrary<String> orderings() {
        return Arbitraries.of("", "id", "-id", "dataset_name", "-dataset_name", "user", "-captured_date", "is_private",
                "-is_private,workspace", "workspace,-is_shareable", "is_shareable,-captured_date,id");
    }

    private static Arbitrary<String> names() {
        Arbitrary<String> odd = Arbitraries.of(CHARACTERS).list().ofMaxSize(12).map(parts -> String.join("", parts));
        return Arbitraries.frequencyOf(Tuple.of(12, Arbitraries.of(ListingModel.NAMES_IN_ORDER)), Tuple.of(12, odd),
                Tuple.of(1, Arbitraries.just("🛰".repeat(255))), Tuple.of(2, Arbitraries.just("a".repeat(256))));
    }

    /** Some writable and some read-only fields of a dataset. No coordinates are the centre of a bbox. */
    private static Arbitrary<JsonObject> fields() {
        return Combinators.combine(List.of(
                maybe("dataset_name", names()),
                maybe("is_private", Arbitraries.of(true, false)),
                maybe("coordinates", Arbitraries.of(degrees(7.25, -33.125), degrees(-89.75, 180), degrees())),
                maybe("bbox", Arbitraries.of(degrees(0, 0, 10, 20), degrees(-10.5, -180, -10, 180), degrees())),
                maybe("is_shareable", Arbitraries.of(true, false)),
                maybe("workspace", Arbitraries.of(70, 8)),
                maybe("captured_date", Arbitraries.of("2021-03-04T05:06:07Z", "1999-12-31T23:59:59Z")),
                maybe("category", Arbitraries.of(texts("Forest"), texts("Wetlands", "Desert"))),
                maybe("available_rasters", Arbitraries.of(texts(), texts("ortho", "dsm"))),
                maybe("band_stats", Arbitraries.of(stats("{}"),
                        stats("{\"b1\":{\"max\":9.5,\"min\":-1,\"mean\":2,\"stddev\":1}}"))),
                maybe("id", Arbitraries.just(1)),
                maybe("user", Arbitraries.just("operator 0")),
                maybe("is_deleted", Arbitraries.just(true))))
                .as(fields -> {
                    JsonObject object = new JsonObject();
                    fields.forEach(field -> field.ifPresent(set -> object.put(set.getKey(), set.getValue())));
                    return object;
                });
    }

    private static Arbitrary<Optional<Map.Entry<String, Object>>> maybe(String name, Arbitrary<?> values) {
        return values.map(value -> Map.<String, Object>entry(name, value)).optional(0.4);
    }

    private static JsonArray degrees(double... degrees) {
        JsonArray array = new JsonArray();
        for (double degree : degrees) {
            array.add(degree);
        }
        return array;
    }

    private static JsonArray texts(String... texts) {
        return new JsonArray(List.of(texts));
    }

    private static JsonObject stats(String dsm) {
        return new JsonObject("{\"dsm\":" + dsm + ",\"dtm\":{},\"ortho\":{}}");
    }
}
