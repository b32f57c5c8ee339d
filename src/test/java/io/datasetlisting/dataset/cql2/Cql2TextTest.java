package io.datasetlisting.dataset.cql2;

import static io.datasetlisting.dataset.cql2.Expression.Operator.EQUAL;
import static io.datasetlisting.dataset.cql2.Expression.Operator.GREATER;
import static io.datasetlisting.dataset.cql2.Expression.Operator.GREATER_OR_EQUAL;
import static io.datasetlisting.dataset.cql2.Expression.Operator.LESS;
import static io.datasetlisting.dataset.cql2.Expression.Operator.LESS_OR_EQUAL;
import static io.datasetlisting.dataset.cql2.Expression.Operator.NOT_EQUAL;
import static io.datasetlisting.dataset.cql2.Filters.operand;
import static io.datasetlisting.dataset.cql2.Filters.text;
import static io.datasetlisting.dataset.cql2.Filters.textError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.dataset.cql2.Expression.And;
import io.datasetlisting.dataset.cql2.Expression.Between;
import io.datasetlisting.dataset.cql2.Expression.Comparison;
import io.datasetlisting.dataset.cql2.Expression.Constant;
import io.datasetlisting.dataset.cql2.Expression.In;
import io.datasetlisting.dataset.cql2.Expression.IsNull;
import io.datasetlisting.dataset.cql2.Expression.Like;
import io.datasetlisting.dataset.cql2.Expression.Literal;
import io.datasetlisting.dataset.cql2.Expression.Not;
import io.datasetlisting.dataset.cql2.Expression.Operand;
import io.datasetlisting.dataset.cql2.Expression.Operator;
import io.datasetlisting.dataset.cql2.Expression.Or;

/** Tests the constructs of CQL2 text, their errors and their limits. */
class Cql2TextTest {

    private static final Expression A = number("category", EQUAL, "1");
    private static final Expression B = number("category", EQUAL, "2");
    private static final Expression C = number("category", EQUAL, "3");

    private static Comparison number(String property, Operator operator, String value) {
        return new Comparison(operand(property), operator, new Literal.Number(new BigDecimal(value)));
    }

    private static Comparison title(String value) {
        return new Comparison(operand("title"), EQUAL, new Literal.Text(value, false));
    }

    private static Literal.Time time(String instant) {
        return new Literal.Time(new ExactInstant(Instant.parse(instant), true));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {"category = 1|EQUAL", "category<>1|NOT_EQUAL",
            "category<1|LESS", "category <=1|LESS_OR_EQUAL", "category> 1|GREATER", "category >= 1|GREATER_OR_EQUAL",
            "1 = category|EQUAL", "1 <> category|NOT_EQUAL", "1 > category|LESS", "1 >= category|LESS_OR_EQUAL",
            "1 < category|GREATER", "1 <= category|GREATER_OR_EQUAL", "`\tcategory\n=\u00a01\u3000`|EQUAL",
            "(category) = (1)|EQUAL", "((category = 1))|EQUAL", "properties.category = 1|EQUAL",
            "\"category\" = 1|EQUAL", "\"properties.category\" = 1|EQUAL"})
    void aComparisonHasThePropertyOnTheLeft(String filter, Operator operator) {
        assertEquals(number("category", operator, "1"), text(filter));
    }

    @ParameterizedTest
    @CsvSource({"5,5", "-5,-5", "- 5,-5", "+5,5", "-(5),-5", "(-5),-5", "((-(5))),-5", "--5,5", "-(-5),5", ".5,.5",
            "5.,5", "5.50,5.50", "1e3,1E+3", "1E+3,1E+3", "-1.5e-2,-0.015", "0,0", "-0,0",
            "12345678901234567890.5,12345678901234567890.5"})
    void numbersHaveSignsFractionsAndExponents(String written, BigDecimal value) {
        assertEquals(new Comparison(operand("depth"), EQUAL, new Literal.Number(value)), text("depth = " + written));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {"''|``", "'a b'|a b",
            "'Via dell''Avvento'|Via dell'Avvento",
            "'it\\'s'|it's", "'\\\\'|\\", "'\\\\''|", "'a\\%b\\_'|a\\%b\\_", "'\\x'|\\x", "'\"'|\"",
            "'Größe 🛰'|Größe 🛰",
            "''''|'", "'--/*'|--/*"})
    void quotesInTextsAreDoubledOrEscaped(String written, String value) {
        if (value == null) {
            assertEquals("filter: A text without its second quotation mark at character 9.",
                    textError("title = " + written));
        } else {
            assertEquals(title(value), text("title = " + written));
        }
    }

    @Test
    void controlCharactersAreWrittenAsTheStandardSays() {
        assertEquals(title("\u0007\b\t\n\u000b\f\r\n"), text("title = '\\a\\b\\t\\n\\v\\f\\r\n'"));
    }

    @ParameterizedTest
    @MethodSource
    void namesHaveTheCharactersOfTheStandard(String name) {
        text(name + " IS NULL");
        text('"' + name + "\" IS NULL");
        text("properties." + name + " IS NULL");
    }

    static List<String> namesHaveTheCharactersOfTheStandard() {
        return List.of("dataset:workspace", "adjustment.mean", "Größe", "road_class", "date");
    }

    @Test
    void operatorsBindAsUsual() {
        String a = "category = 1";
        String b = "category = 2";
        String c = "category = 3";
        assertEquals(new Or(List.of(A, new And(List.of(B, C)))), text(a + " OR " + b + " AND " + c));
        assertEquals(new And(List.of(new Or(List.of(A, B)), C)), text("(" + a + " or " + b + ") and " + c));
        assertEquals(new And(List.of(new Not(A), B)), text("not " + a + " and " + b));
        assertEquals(new Not(new And(List.of(A, B))), text("NOT(" + a + " AND " + b + ")"));
        assertEquals(new Not(new Not(A)), text("not Not " + a));
        assertEquals(new And(List.of(A, new Not(new Not(B)))), text(a + " and not not " + b));
    }

    @Test
    void aChainOfTheSameOperatorIsOneCondition() {
        assertEquals(new And(List.of(A, B, C)), text("category = 1 and category = 2 AND category = 3"));
        assertEquals(new Or(List.of(A, B, C)), text("category = 1 or category = 2 OR category = 3"));
        assertEquals(new And(List.of(new And(List.of(A, B)), C)),
                text("(category = 1 and category = 2) and category = 3"));
        assertEquals(new And(List.of(A, new And(List.of(B, C)))),
                text("category = 1 and (category = 2 and category = 3)"));
    }

    @Test
    void booleansAreConditions() {
        Expression isPrivate = new Comparison(operand("private"), EQUAL, new Literal.Bool(true));
        assertEquals(new Constant(true), text("true"));
        assertEquals(new Constant(false), text("(FALSE)"));
        assertEquals(isPrivate, text("private"));
        assertEquals(isPrivate, text("private = TRUE"));
        assertEquals(isPrivate, text("true = private"));
        assertEquals(new Not(isPrivate), text("not private"));
        assertEquals(new And(List.of(isPrivate, new Constant(true), A)), text("private and true and category = 1"));
        assertEquals(new Comparison(operand("private"), NOT_EQUAL, new Literal.Bool(false)),
                text("private <> false"));
        assertEquals(new In(operand("private"), List.of(new Literal.Bool(true))), text("private in (true)"));
    }

    @Test
    void nullIsTested() {
        assertEquals(new IsNull(operand("geometry")), text("geometry is null"));
        assertEquals(new Not(new IsNull(operand("geometry"))), text("geometry IS NOT NULL"));
        assertEquals(new Not(new Not(new IsNull(operand("title")))), text("not title is not null"));
    }

    @Test
    void rangesAndListsAreTested() {
        Expression between = new Between(operand("depth"), new Literal.Number(new BigDecimal("100.0")),
                new Literal.Number(new BigDecimal("150.0")));
        assertEquals(between, text("depth BETWEEN 100.0 and 150.0"));
        assertEquals(new Not(between), text("depth not between 100.0 and (150.0)"));
        assertEquals(new And(List.of(between, A)), text("depth between 100.0 and 150.0 and category = 1"));
        Expression in = new In(operand("title"), List.of(new Literal.Text("a", false), new Literal.Text("b", true)));
        assertEquals(in, text("title IN ('a', casei('b'))"));
        assertEquals(new Not(in), text("title NOT IN('a',CASEI('b'))"));
    }

    @Test
    void patternsAreTested() {
        Expression like = new Like(operand("title"), new Literal.Text("Smith%", false));
        assertEquals(like, text("title LIKE 'Smith%'"));
        assertEquals(new Not(like), text("title not like 'Smith%'"));
        assertEquals(new Like(operand("dataset:category"), new Literal.Text("\\%\\_\\\\", false)),
                text("dataset:category like '\\%\\_\\\\\\\\'"));
        for (String text : List.of("id", "uid")) {
            assertEquals(new Like(operand(text), new Literal.Text("", false)), text(text + " like ''"));
        }
    }

    @Test
    void caseIsFoldedOnPropertiesLiteralsAndPatterns() {
        Operand folded = new Operand(Filters.QUERYABLES.get("road_class"), true);
        assertEquals(new In(folded, List.of(new Literal.Text("Οδος", true), new Literal.Text("Straße", true))),
                text("CASEI(road_class) IN (CASEI('Οδος'),CASEI('Straße'))"));
        assertEquals(new Like(folded, new Literal.Text("foo%", true)), text("casei(road_class) LIKE casei('foo%')"));
        assertEquals(new Comparison(folded, EQUAL, new Literal.Text("a", true)),
                text("casei('a') = casei(casei((road_class)))"));
    }

    @Test
    void timesAreTimestampsDatesOrTexts() {
        for (String written : List.of("TIMESTAMP('2022-04-14T00:00:00Z')", "timestamp('2022-04-14t01:00:00+01:00')",
                "DATE('2022-04-14')", "'2022-04-14T00:00:00Z'", "'2022-04-14'")) {
            assertEquals(new Comparison(operand("updated"), GREATER_OR_EQUAL, time("2022-04-14T00:00:00Z")),
                    text("updated >= " + written));
        }
        assertEquals(new In(operand("datetime"), List.of(time("2022-04-14T14:52:56Z"), time("2022-04-14T15:52:56Z"))),
                text("datetime in ('2022-04-14T14:52:56Z', '2022-04-14T15:52:56Z')"));
        assertEquals(new Comparison(operand("date"), LESS, time("2022-04-16T00:00:00Z")),
                text("\"date\"<DATE('2022-04-16')"));
        assertEquals(new Between(operand("date"), time("2022-04-16T00:00:00Z"), time("2022-04-17T00:00:00Z")),
                text("date between date('2022-04-16') and '2022-04-17'"));
    }

    @Test
    void eachTypeIsComparedWithItsLiterals() {
        assertEquals(new Comparison(operand("id"), GREATER, new Literal.Text("17", false)), text("id > '17'"));
        assertEquals(new Comparison(operand("uid"), EQUAL, new Literal.Text("foo", false)), text("uid = 'foo'"));
        assertEquals(new Comparison(operand("dataset:category"), LESS_OR_EQUAL, new Literal.Text("Desert", false)),
                text("dataset:category <= 'Desert'"));
        assertEquals(number("dataset:workspace", EQUAL, "3.14"), text("dataset:workspace = 3.14"));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {"``|Expected a property or a value at character 1.",
            "category|Expected a condition at character 1.", "'a'|Expected a condition at character 1.",
            "5|Expected a condition at character 1.", "`category = `|Expected a property or a value at character 12.",
            "category = 1 category|Expected AND, OR or the end of the filter at character 14.",
            "(category = 1|Expected ')' at character 14.",
            "category = 1)|Expected AND, OR or the end of the filter at character 13.",
            "1 < category < 3|Expected AND, OR or the end of the filter at character 14.",
            "category == 1|Expected a property or a value at character 11.",
            "category != 1|Unexpected character at character 10.",
            "title = 'a|A text without its second quotation mark at character 9.",
            "\"title = 1|A name without its second quotation mark at character 1.",
            "nothing = 1|Unknown property 'nothing' at character 1.",
            "🛰 = 1 and properties.no = 1|Unknown property '🛰' at character 1.",
            "title = '🛰' and no = 1|Unknown property 'no' at character 17.",
            "\" \" = 1|Unknown property ' ' at character 1.",
            "category = 'a'|Expected a number for the property 'category' at character 12.",
            "'a' = category|Expected a number for the property 'category' at character 1.",
            "title = 5|Expected a text for the property 'title' at character 9.",
            "id = 5|Expected a text for the property 'id' at character 6.",
            "private = 1|Expected true or false for the property 'private' at character 11.",
            "private = (private = true)|Expected true or false for the property 'private' at character 12.",
            "datetime = 'now'|Expected a time of RFC 3339 for the property 'datetime' at character 12.",
            "datetime = casei('2020-01-01')|Expected a time of RFC 3339 for the property 'datetime' at character 18.",
            "datetime = 2020|Expected a time of RFC 3339 for the property 'datetime' at character 12.",
            "title = date('2020-01-01')|Expected a text for the property 'title' at character 14.",
            "datetime = date('2020-02-30')|Expected a date of RFC 3339 ('2020-12-31') at character 17.",
            "datetime = timestamp('2020-01-01')|Expected a time of RFC 3339 ('2020-12-31T23:59:59Z') at character 22.",
            "datetime = date(title)|Expected a date of RFC 3339 ('2020-12-31') at character 17.",
            "title in ('a', 5)|Expected a text for the property 'title' at character 16.",
            "title in ()|Expected a property or a value at character 11.",
            "title in 'a'|Expected '(' at character 10.",
            "category between 1 and 'a'|Expected a number for the property 'category' at character 24.",
            "category between 1 or 2|Expected AND at character 20.",
            "5 between 1 and 2|Expected a property at character 1.", "5 in (5)|Expected a property at character 1.",
            "'a' like 'a'|Expected a property at character 1.",
            "5 is null|Expected a property for IS NULL at character 1.",
            "title is 5|Expected NULL at character 10.", "title not 5|Expected LIKE, BETWEEN or IN at character 11.",
            "title = null|Expected a property or a value instead of NULL at character 9.",
            "title = title|A property cannot be compared with a property at character 9.",
            "1 = 1|A comparison without a property at character 5.",
            "category like '1'|LIKE needs a text, but the property 'category' has none at character 1.",
            "title like title|Expected a text as the pattern of LIKE at character 12.",
            "title like 'a\\\\'|A pattern of LIKE that ends with a single backslash at character 12.",
            "casei(category) = 1|CASEI needs a text, but the property 'category' has none at character 7.",
            "casei(5) = title|Expected a text or a property in CASEI at character 7.",
            "geometry = 5|A geometry outside S_INTERSECTS and IS NULL at character 1.",
            "geometry|Expected a condition at character 1.",
            "category = -title|Expected a number after the sign at character 13.",
            "category = 5-3|Expected AND, OR or the end of the filter at character 13.",
            "category = 5 * 3|Expected AND, OR or the end of the filter at character 14.",
            "avg(depth) < 4|Unknown function 'avg' at character 1.",
            "accenti(title) = 'a'|Unknown function 'accenti' at character 1.",
            "t_after(datetime, date('2020-01-01'))|Unknown function 't_after' at character 1.",
            "s_within(geometry, POINT(1 1))|Unknown function 's_within' at character 1.",
            "category = 1e999|A number outside the range of a double at character 12.",
            "title = ; drop table dataset|Unexpected character at character 9."})
    void anErrorNamesItsPosition(String filter, String error) {
        assertEquals("filter: " + error, textError(filter));
    }

    @Test
    void textsThatTheDatabaseCannotStoreAreRefused() {
        for (String text : List.of("\0", "\ud800", "a\udc00", "\udc00\ud800")) {
            assertEquals("filter: A text with a NUL character or half of a surrogate pair at character 9.",
                    textError("title = '" + text + "'"));
        }
        assertEquals("filter: Unknown property '?' at character 1.", textError("\"\ud800\" = 1"));
        assertEquals("filter: Unexpected character at character 1.", textError("\0"));
        assertEquals("filter: Unexpected character at character 1.", textError("\ud800 = 1"));
    }

    @Test
    void aLongNameIsCutInTheError() {
        assertEquals("filter: Unknown property '" + "🛰".repeat(64) + "...' at character 1.",
                textError("🛰".repeat(65) + " = 1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "not ", "-", "+", "casei(", "title = casei(", "category = -(", "title in (",
            "S_INTERSECTS(", "S_INTERSECTS(geometry, GEOMETRYCOLLECTION(", "GEOMETRYCOLLECTION(", "date(",
            "category between ", "((not "})
    @Timeout(5)
    void deepFiltersAreRefused(String part) {
        for (int times : List.of(10_000, 400)) {
            String error = textError(part.repeat(times));
            assertTrue(error.startsWith("filter: "), error);
        }
    }

    @Test
    void theDepthIsLimited() {
        int depth = Filters.LIMITS.depth();
        text("(".repeat(depth) + "true" + ")".repeat(depth));
        text("not ".repeat(depth) + "true");
        assertEquals("filter: More than 50 levels of nesting at character 51.",
                textError("(".repeat(depth + 1) + "true" + ")".repeat(depth + 1)));
        assertEquals("filter: More than 50 levels of nesting at character 201.",
                textError("not ".repeat(depth + 1) + "true"));
        // Levels end with their brackets.
        text("(true) and ".repeat(depth + 1) + "true");
    }

    @Test
    @Timeout(5)
    void longFiltersAreRefused() {
        assertEquals("filter: More than 20000 characters.", textError("title = '" + "a".repeat(1_000_000) + "'"));
        assertEquals("filter: More than 20000 characters.", textError("true and ".repeat(100_000) + "true"));
        assertEquals("filter: More than 500 properties and values at character 4501.",
                textError("true and ".repeat(1_000) + "true"));
        assertEquals("filter: More than 500 properties and values at character 1012.",
                textError("category in (" + "1,".repeat(1_000) + "1)"));
    }
}
