package io.datasetlisting.postgres.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** Tests how parts of statements are combined, and how their parameters are numbered. */
class SqlTest {

    private static final Sql COLUMN = Sql.of("a");

    private static Sql equal(Sql value) {
        return Sql.of("{column} = {value}", Map.of("column", COLUMN, "value", value));
    }

    @Test
    void parametersAreNumberedInTheOrderOfTheText() {
        assertEquals(new Sql.Statement("(a = $1 or a = $2) and a = $3", List.of(1, 2, 3), false),
                Sql.or(List.of(equal(Sql.value(1)), equal(Sql.value(2)))).and(equal(Sql.value(3))).statement());
    }

    @Test
    void aValueThatStandsTwiceIsOneParameterAndAnEqualValueIsAnotherOne() {
        Sql value = Sql.value("x");
        assertEquals(new Sql.Statement("a = $1 and a = $1 and a = $2", List.of("x", "x"), false),
                Sql.and(List.of(equal(value), equal(value), equal(Sql.value("x")))).statement());
    }

    @Test
    void someParametersHaveTheFirstNumbers() {
        Sql first = Sql.value(null);
        Sql second = Sql.value("x");
        assertEquals(new Sql.Statement("$3, $2, $1", Arrays.asList(null, "x", 3), false),
                Sql.join(", ", Stream.of(Sql.value(3), second, first)).statement(first, second));
    }

    @Test
    void namesInAPartAreNoNamesOfTheTemplate() {
        assertEquals("'{b}' = '{b}'",
                Sql.of("{a} = {a}", Map.of("a", Sql.of("'{b}'"), "b", COLUMN)).statement().text());
        assertThrows(NullPointerException.class, () -> Sql.of("{c}", Map.of("a", COLUMN)));
    }

    @Test
    void aTextHasNoParameterWithoutAValue() {
        assertThrows(IllegalArgumentException.class, () -> Sql.of("a = ?"));
    }
}
