package io.datasetlisting.http.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;

/** Tests that {@link DrfFields} reads JSON and forms as Django REST Framework does. */
class DrfFieldsTest {

    private static final List<String> CHOICES = List.of("red", "green", "deep blue");

    private static DrfFields json(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return DrfFields.parse(bytes, 0, bytes.length);
    }

    /** A form with one field that has these values. */
    private static DrfFields form(String... values) {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        ArrayNode texts = fields.putArray("x");
        List.of(values).forEach(texts::add);
        return new DrfFields(fields, true);
    }

    private static String errors(DrfFields fields) {
        return assertThrows(ApiException.class, fields::check).reason().toString();
    }

    @Test
    void validFieldsCauseNoError() {
        DrfFields fields = json("{\"x\":\"1\"}");
        assertEquals("1", fields.text("x", 1));
        fields.check();
    }

    @Test
    void errorsAreReportedInTheOrderOfTheFields() {
        DrfFields fields = json("{\"a\":null,\"b\":[\"red\",\"pink\"]}");
        assertNull(fields.text("a", 5));
        assertNull(fields.choices("b", CHOICES, false));
        assertNull(fields.missing("c"));
        assertEquals("{\"a\":[\"This field may not be null.\"],\"b\":{\"1\":[\"\\\"pink\\\" is not a valid choice.\"]},"
                + "\"c\":[\"This field is required.\"]}", errors(fields));
    }

    @Test
    void onlyTheGivenRangeOfTheBytesIsRead() {
        byte[] bytes = "xx{\"x\":1}yy".getBytes(StandardCharsets.UTF_8);
        assertEquals(1, DrfFields.parse(bytes, 2, bytes.length - 2).integer("x", 0));
    }

    @Test
    void aJsonFieldIsPresentWithAnyValue() {
        DrfFields fields = json("{\"x\":null,\"y\":\"\"}");
        assertTrue(fields.has("x") && fields.isNull("x") && fields.has("y") && fields.hasText("y"));
        assertFalse(fields.has("z") || fields.hasText("z") || fields.isNull("z") || fields.isNull("y"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "None", " None ", "null"})
    void anEmptyFormFieldIsAbsentExceptAsAText(String value) {
        assertFalse(form(value).has("x"));
        assertTrue(form(value).hasText("x"));
        assertFalse(form(value).isNull("x"));
        assertEquals(value.strip(), form(value).text("x", 10));
    }

    /** Python's {@code str.strip} removes all white space of Unicode, and no invisible characters. */
    @Test
    void whatPythonTakesForSpaceIsStripped() {
        String space = "\t\n\u000b\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
                + "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";
        assertEquals("a" + space + "b", form(space + "a" + space + "b" + space).text("x", 50));
        assertEquals("", form(space).text("x", 0));
        assertNull(form(space).words("x", 0));
        IntStream.rangeClosed(1, Character.MAX_VALUE)
                .filter(c -> space.indexOf(c) < 0 && !Character.isSurrogate((char) c))
                .mapToObj(Character::toString).forEach(other -> assertEquals(other, form(other).text("x", 1)));
    }

    @Test
    void aTextIsStrippedUnlessItIsReadVerbatim() {
        assertEquals("a b", json("{\"x\":\" a b\\n\"}").text("x", 3));
        assertEquals(" a b\n", json("{\"x\":\" a b\\n\"}").verbatim("x", 5));
    }

    @Test
    void lengthsCountCharactersNotCodeUnits() {
        assertEquals("🛰🛰", json("{\"x\":\"🛰🛰\"}").text("x", 2));
        DrfFields fields = json("{\"x\":\"🛰🛰🛰\"}");
        assertNull(fields.text("x", 2));
        assertEquals("{\"x\":[\"Ensure this field has no more than 2 characters.\"]}", errors(fields));
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1.0,1", "1e3,1000", "' 7 ',7", "-0,0", "9007199254740991,9007199254740991", "+5,5",
            "0.5e1,5", "00012,12"})
    void integersHaveManyNotations(String text, long number) {
        assertEquals(number, form(text).integer("x", 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "1.5", "1e-1", "0x10", "1_000", "1,000", "NaN", "Infinity", "1e400", "--1",
            "1e99999999999"})
    void otherTextsAreNotIntegers(String text) {
        DrfFields fields = form(text);
        assertNull(fields.integer("x", 0));
        assertEquals("{\"x\":[\"A valid integer is required.\"]}", errors(fields));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "-1e400", "1e-400", "1e999999999", "1e-999999999", "true", "null", "\"\"",
            "\"NaN\"",
            "[]", "{}", "\"1 2\""})
    void aNumberThatDoesNotFitADoubleIsRefused(String json) {
        DrfFields fields = json("{\"x\":" + json + '}');
        assertNull(fields.number("x"));
        assertEquals("{\"x\":[\"A valid number is required.\"]}", errors(fields));
    }

    @ParameterizedTest
    @CsvSource({"0,0", "-0.0,-0.0", "1.7976931348623157e308,1.7976931348623157e308", "4.9e-324,4.9e-324",
            "0.1,0.1", "\"1.5\",1.5"})
    void aNumberThatFitsADoubleIsAccepted(String json, double number) {
        assertEquals(0, Double.compare(number + 0.0, json("{\"x\":" + json + '}').number("x") + 0.0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            red                  | red
            red,green            | red,green
            ['red', 'deep blue'] | red,deep blue
            ["red", "deep blue"] | red,deep blue
            ('red', 'green')     | red,green
            deep blue            | deep blue
            [ ]                  | \040
            """)
    void aFormListHasManyNotations(String value, String items) {
        String[] expected = items == null ? new String[0] : items.split(",");
        assertArrayEquals(expected, form(value).choices("x", CHOICES, true));
    }

    @Test
    void aRepeatedFormFieldIsTheListOfItsValues() {
        assertArrayEquals(new String[]{"red", "green"}, form("red", "green").choices("x", CHOICES, false));
        DrfFields fields = form("red,green", "['red']");
        assertNull(fields.choices("x", CHOICES, false));
        assertEquals("{\"x\":{\"0\":[\"\\\"red,green\\\" is not a valid choice.\"],"
                + "\"1\":[\"\\\"['red']\\\" is not a valid choice.\"]}}", errors(fields));
    }

    @Test
    void eachNumberIsCheckedAgainstItsBound() {
        assertArrayEquals(new double[]{-90, 180}, json("{\"x\":[-90,180.0]}").numbers("x", 90, 180));
        assertArrayEquals(new double[0], json("{\"x\":[]}").numbers("x", 90, 180));
        DrfFields fields = json("{\"x\":[-90.1,180.1]}");
        assertNull(fields.numbers("x", 90, 180));
        assertEquals("{\"x\":{\"0\":[\"Ensure this value is greater than or equal to -90.\"],"
                + "\"1\":[\"Ensure this value is less than or equal to 180.\"]}}", errors(fields));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\": 1.50}", "{'a': 1.50}", "{\"a\":1.50}"})
    void aFormDictionaryKeepsEveryDigit(String value) {
        assertEquals("{\"a\":1.50}", form(value).object("x").toString());
    }

    @Test
    void equalFieldsHaveEqualTexts() {
        assertEquals(json("{ \"x\": 1.0 }").toString(), json("{\"x\":1.0}").toString());
        assertFalse(json("{\"x\":1.0}").toString().equals(json("{\"x\":1.00}").toString()));
    }
}
