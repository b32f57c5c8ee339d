package io.datasetlisting.catalogue.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.catalogue.index.GeometryResolver;
import io.datasetlisting.catalogue.listing.ListingQuery;
import io.datasetlisting.catalogue.listing.ListingRepository;
import io.datasetlisting.catalogue.listing.ListingResult;
import io.datasetlisting.catalogue.query.ExpressionModel.Item;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.cql2.ExactInstant;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Operand;
import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.dataset.cql2.Queryable.Type;
import io.datasetlisting.dataset.raster.RasterGsd;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.Ordering;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.RandomTests;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.VertxContextSupport;

/** Compares the datasets that expressions find in PostgreSQL with the {@link ExpressionModel}. */
@QuarkusTest
class ExpressionSqlTest {

    private static final int DATASETS = 300;
    private static final int EXPRESSIONS = RandomTests.times(150, 2_000);

    private static final Caller OWNER = new Caller(Catalogue.OWNER.id(), Catalogue.OWNER.username(), 70L, Right.READER,
            1L);
    private static final Caller ADMIN = new Caller(0L, "operator", 1L, Right.ADMIN, 2L);

    @Inject
    Catalogue catalogue;

    @Inject
    ListingRepository repository;

    @Inject
    GeometryResolver geometries;

    @Inject
    DatasetFields fields;

    private final List<Queryable> queryables = new ArrayList<>();
    private final List<Dataset> datasets = new ArrayList<>();
    private final Map<Long, Item> items = new TreeMap<>();
    private ExpressionModel model;
    private ExpressionGenerator generator;

    @BeforeEach
    void fill() {
        fields.table().stream().map(DatasetField::queryable).filter(Objects::nonNull).forEach(queryables::add);
        queryables.add(new Queryable("collection", Type.TEXT, "'datasets'::text"));
        queryables.add(new Queryable("geometry", Type.GEOMETRY, "footprint"));
        queryables.add(new Queryable("updated", Type.TIME, "updated_at"));
        // No property of an item is missing. These are missing in some datasets.
        queryables.add(RasterGsd.QUERYABLE);
        queryables.add(new Queryable("sometext", Type.TEXT, "thumbnail_key"));
        queryables.add(new Queryable("someinteger", Type.INTEGER, "nullif(workspace, 3)"));
        queryables.add(new Queryable("sometexts", Type.TEXTS, "case when is_shareable then category end"));
        queryables.add(new Queryable("sometime", Type.TIME, "case when is_shareable then captured_date end"));
        List<String> ids = LongStream.rangeClosed(1, 15).mapToObj(Long::toString).toList();
        List<String> uuids = Stream.of(1, 2, 250).map(id -> Catalogue.dataset(id).uavUid.toString()).toList();
        List<String> otherTexts = Stream.of(ids, uuids, List.of("007", "+7", "99999999999999999999", "-1", "1.0",
                uuids.get(0).toUpperCase(), uuids.get(0).replace("-", ""), Catalogue.OWNER.username()))
                .flatMap(List::stream).toList();
        generator = new ExpressionGenerator(new Random(RandomTests.seed(23)), queryables, otherTexts);
        for (long id = 1; id <= DATASETS; id++) {
            Dataset dataset = Catalogue.dataset(id, generator::fill);
            dataset.isPrivate = id % 3 == 0;
            dataset.isShareable = id % 2 == 0;
            dataset.isDeleted = id % 50 == 0;
            if (id % 4 == 0) {
                dataset.ownerId = 12;
                dataset.ownerName = "Straße";
            }
            datasets.add(dataset);
        }
        catalogue.replaceWith(datasets);
        Map<Long, OffsetDateTime> updated = new HashMap<>();
        catalogue.sql("select id, updated_at from dataset")
                .forEach(row -> updated.put(row.getLong(0), row.getOffsetDateTime(1)));
        for (Dataset dataset : datasets) {
            Item item = Item.of(dataset, updated.get(dataset.id).toInstant());
            put(item, "sometext", dataset.thumbnailKey);
            put(item, "someinteger", dataset.workspace == 3 ? null : dataset.workspace);
            put(item, "sometexts", dataset.isShareable ? List.of(dataset.category) : null);
            put(item, "sometime", dataset.isShareable ? dataset.capturedDate : null);
            items.put(dataset.id, item);
        }
        model = new ExpressionModel(order(otherTexts));
    }

    private static void put(Item item, String name, Object value) {
        if (value != null) {
            item.properties().put(name, value);
        }
    }

    /** The order in which PostgreSQL sorts all texts of the test. */
    private Comparator<String> order(List<String> otherTexts) {
        Set<String> texts = new LinkedHashSet<>(otherTexts);
        texts.addAll(ExpressionGenerator.TEXTS);
        items.values().forEach(item -> item.properties().values().stream()
                .filter(String.class::isInstance).forEach(text -> texts.add((String) text)));
        List.copyOf(texts).forEach(text -> texts.add(ExpressionModel.fold(text)));
        return catalogue.nameOrder(texts);
    }

    private static Predicate<Dataset> visibleTo(Caller caller) {
        return dataset -> !dataset.isDeleted
                && (!dataset.isPrivate || caller.isAdmin() || caller.is(dataset.ownerId));
    }

    private ListingResult find(Expression expression, Caller caller, String ordering) {
        try {
            return VertxContextSupport.subscribeAndAwait(
                    () -> geometries.readOnce(expression, caller, ordering,
                            (statements, filter) -> repository.list(new ListingQuery(
                                    new ListRequest(QueryString.parse(""), 1, DATASETS,
                                            Ordering.parse(ordering, Set.of("id", "workspace"))),
                                    filter, fields.none()), caller)));
        } catch (Throwable e) {
            throw new AssertionError(expression.toString(), e);
        }
    }

    @Test
    void randomExpressionsFindTheDatasetsOfTheModel() {
        findTheDatasetsOfTheModel();
    }

    /** Most of these expressions fold the case of a column several times, which the statement does once. */
    @Test
    void expressionsThatFoldTheSameColumnsFindTheDatasetsOfTheModel() {
        generator = new ExpressionGenerator(new Random(RandomTests.seed(30)), queryables.stream()
                .filter(column -> Set.of("title", "dataset:category", "sometext", "sometexts").contains(column.name()))
                .toList(), List.of("1", "007"));
        findTheDatasetsOfTheModel();
    }

    private void findTheDatasetsOfTheModel() {
        int some = 0;
        for (int i = 0; i < EXPRESSIONS; i++) {
            Expression expression = generator.expression(3);
            Caller caller = List.of(Caller.ANONYMOUS, OWNER, ADMIN).get(i % 3);
            List<Long> expected = datasets.stream().filter(visibleTo(caller))
                    .filter(d -> Boolean.TRUE.equals(model.evaluate(expression, items.get(d.id)))).map(d -> d.id)
                    .toList();
            ListingResult found = find(expression, caller, i % 2 == 0 ? "id" : "workspace");
            assertEquals(expected, found.revisions().stream().map(Revision::id).sorted().toList(),
                    () -> expression.toString());
            assertEquals(expected.size(), found.count());
            some += expected.isEmpty() || expected.size() > 190 ? 0 : 1;
        }
        assertTrue(some > EXPRESSIONS / 3, some + " expressions find some datasets");
    }

    @Test
    void aColumnIsFoldedOnceForEachDataset() {
        Operand title = new Operand(
                queryables.stream().filter(each -> each.name().equals("title")).findAny().orElseThrow(),
                true);
        Expression like = new Expression.Like(title, new Literal.Text("a%", true));
        String one = condition(like);
        String two = condition(new Expression.Or(List.of(like, new Expression.Not(like))));
        String folding = "case_folded(" + title.property().sql() + ")";
        assertEquals(2, one.split(Pattern.quote(folding), -1).length, one);
        assertEquals(2, two.split(Pattern.quote(folding), -1).length, two);
        assertFalse(one.contains("offset 0"), one);
    }

    private static String condition(Expression expression) {
        return FilterSql.visible(expression, Caller.ANONYMOUS).get(0).condition().statement()
                .text();
    }

    /** Characters with a meaning, numbers and times outside of every range, patterns without meaning. */
    @Test
    void noLiteralIsAnErrorOfTheDatabase() {
        Random random = new Random(RandomTests.seed(5));
        List<String> parts = List.of("\uFFFF", "\\", "%", "_", "'", "$1", "a", "ß", "\uFDD0",
                "\u0345", "𐐀", "\n", "{", "}", "\"", ",", "-", "1", "0", "null", "x".repeat(3000));
        List<String> numbers = List.of("-1.7e308", "-4e-324", "9".repeat(300), "0." + "1".repeat(300), "-0", "1e308",
                "4e-324", "9223372036854775807.5", "-9223372036854775808.5");
        for (int i = 0; i < RandomTests.times(150, 1_500); i++) {
            Supplier<Literal.Text> text = () -> new Literal.Text(Stream.generate(() -> parts.get(random.nextInt(
                    parts.size()))).limit(random.nextInt(6)).collect(Collectors.joining()), random.nextBoolean());
            Queryable property = queryables.get(random.nextInt(queryables.size()));
            Supplier<Literal> literal = () -> switch (property.type()) {
                case INTEGER, NUMBER -> new Literal.Number(new BigDecimal(numbers.get(random.nextInt(numbers.size()))));
                case TIME -> new Literal.Time(new ExactInstant(Instant.ofEpochSecond(
                        random.nextLong() % Instant.MAX.getEpochSecond(), 1_000L * random.nextInt(1_000_000)),
                        random.nextBoolean()));
                case BOOLEAN -> new Literal.Bool(random.nextBoolean());
                default -> text.get();
            };
            Operand operand = new Operand(property, literal.get() instanceof Literal.Text && random.nextBoolean());
            find(property.type() == Type.GEOMETRY
                    ? new Expression.IsNull(operand)
                    : literal.get() instanceof Literal.Text && random.nextBoolean()
                            ? new Expression.Like(operand,
                                    new Literal.Text(text.get().value() + '%', random.nextBoolean()))
                            : random.nextBoolean()
                                    ? new Expression.Comparison(operand,
                                            Expression.Operator.values()[random.nextInt(6)], literal.get())
                                    : new Expression.In(operand,
                                            Stream.generate(literal).limit(1 + random.nextInt(150)).toList()),
                    Caller.ANONYMOUS, "id");
        }
    }

    @ParameterizedTest
    @CsvSource({"Straße, STRASSE, true", "ẞ, ss, true", "ΟΔΟΣ, οδος, true", "οδος, οδοσ, true", "İ, i̇, true",
            "ı, i, false",
            "ı, I, false", "I, i, true", "\u212A, k, true", "ﬃ, FFI, true", "ᾳ, ΑΙ, true", "µ, μ, true", "ǅ, ǆ, true",
            "Ꭰ, ꭰ, true", "\u0345, ι, true", "é, É, true", "é, e, false", "𐐀, 𐐨, true", "ſ, S, true", "ŉ, ʼN, true"})
    void twoTextsThatDifferOnlyInCaseAreEqual(String one, String other, boolean equal) {
        assertEquals(equal, catalogue.sql("select case_folded('%s') = case_folded('%s')".formatted(one, other)).get(0)
                .getBoolean(0));
        assertEquals(equal, ExpressionModel.fold(one).equals(ExpressionModel.fold(other)));
    }
}
