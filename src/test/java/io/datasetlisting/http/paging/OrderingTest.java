package io.datasetlisting.http.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Tests that {@link Ordering} parses a total order. */
class OrderingTest {

    private static final Map<String, Comparator<Row>> COLUMNS = Map.of("id", Comparator.comparing(Row::id),
            "dataset_name", Comparator.comparing(Row::name), "workspace", Comparator.comparing(Row::workspace));

    private record Row(long id, String name, int workspace) {
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", ",", ",,,", "-", "--id", "+id", "bbox", "band_stats,-nothing", "ID", "id;drop"})
    void withoutAKnownNameTheOrderIsById(String text) {
        assertEquals("id", ordering(text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dataset_name                    | dataset_name,id
            -dataset_name                   | -dataset_name,-id
            id                              | id
            -id                             | -id
            workspace,dataset_name          | workspace,dataset_name,id
            workspace,-dataset_name         | workspace,-dataset_name,id
            -workspace,dataset_name         | -workspace,dataset_name,-id
            -workspace,id                   | -workspace,id
            workspace,-id,dataset_name      | workspace,-id
            id,dataset_name                 | id
            """)
    void idBreaksTiesInTheDirectionOfTheFirstKey(String text, String keys) {
        assertEquals(keys, ordering(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {" -workspace , dataset_name ", "-workspace,dataset_name", ",-workspace,,dataset_name,",
            "\t-workspace\n,dataset_name"})
    void spacesAroundNamesAndEmptyNamesAreIgnored(String text) {
        assertEquals("-workspace,dataset_name,-id", ordering(text));
    }

    @Test
    void unknownNamesAreDropped() {
        assertEquals("-workspace,dataset_name,-id", ordering("nothing,-workspace,-bbox,dataset_name"));
    }

    @Test
    void theFirstOfRepeatedNamesCounts() {
        assertEquals("-workspace,dataset_name,-id", ordering("-workspace,dataset_name,workspace,-dataset_name"));
    }

    @Property
    void everyOrderIsTotal(@ForAll("requests") String text) {
        List<Ordering.Key> keys = Ordering.parse(text, COLUMNS.keySet()).keys();
        List<String> fields = keys.stream().map(Ordering.Key::field).toList();

        assertEquals(new HashSet<>(fields).size(), fields.size());
        assertTrue(fields.contains("id"));
        assertTrue(COLUMNS.keySet().containsAll(fields));
    }

    @Property
    void descendingIsTheMirrorOfAscending(@ForAll("fields") String field, @ForAll List<@From("rows") Row> rows) {
        List<Row> distinct = new ArrayList<>(
                rows.stream().collect(Collectors.toMap(Row::id, row -> row, (first, second) -> first)).values());

        List<Row> ascending = sorted(distinct, field);
        List<Row> descending = sorted(distinct, "-" + field);

        Collections.reverse(descending);
        assertEquals(ascending, descending);
    }

    @Property
    void theOrderDoesNotDependOnTheOrderOfTheInput(@ForAll("requests") String text,
            @ForAll List<@From("rows") Row> rows) {
        List<Row> distinct = new ArrayList<>(
                rows.stream().collect(Collectors.toMap(Row::id, row -> row, (first, second) -> first)).values());
        List<Row> sorted = sorted(distinct, text);

        Collections.reverse(distinct);

        assertEquals(sorted, sorted(distinct, text));
    }

    @Provide
    Arbitrary<String> fields() {
        return Arbitraries.of(COLUMNS.keySet());
    }

    @Provide
    Arbitrary<String> requests() {
        return Arbitraries.of("id", "-id", "dataset_name", "-dataset_name", "workspace", "-workspace", "bbox", "", " ")
                .list().ofMaxSize(6).map(terms -> String.join(",", terms));
    }

    @Provide
    Arbitrary<Row> rows() {
        return Combinators.combine(Arbitraries.longs().between(1, 50), Arbitraries.of("", "a", "b", "河川"),
                Arbitraries.integers().between(1, 3)).as(Row::new);
    }

    private static List<Row> sorted(List<Row> rows, String ordering) {
        List<Row> sorted = new ArrayList<>(rows);
        sorted.sort(Ordering.parse(ordering, COLUMNS.keySet()).keys().stream()
                .map(key -> key.descending() ? COLUMNS.get(key.field()).reversed() : COLUMNS.get(key.field()))
                .reduce(Comparator::thenComparing)
                .orElseThrow());
        return sorted;
    }

    private static String ordering(String text) {
        return Ordering.parse(text, COLUMNS.keySet()).keys().stream()
                .map(key -> (key.descending() ? "-" : "") + key.field())
                .collect(Collectors.joining(","));
    }
}
