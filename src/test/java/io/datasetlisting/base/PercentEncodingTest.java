package io.datasetlisting.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.stream.Collectors;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Tests the percent-encoding of paths. */
class PercentEncodingTest {

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            # path,            stands for
            "",                ""
            a/b.jpg,           a/b.jpg
            a%20b,             a b
            a+b,               a+b
            a%2Bb,             a+b
            %2F,               /
            %2f%41,            /A
            a%2520b,           a%20b
            %C3%BC,            ü
            %f0%9f%9B%B0,      🛰
            ü 🛰,              ü 🛰
            """)
    void aPathIsDecoded(String path, String text) {
        assertEquals(text, PercentEncoding.decodePath(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%4", "a%", "a%2", "%zz", "%4g", "%g4", "%-1", "%+1", "%FF", "%C3", "%C3%28",
            "%ED%A0%80", "%C0%80", "%F4%90%80%80"})
    void aMalformedPathIsNull(String path) {
        assertNull(PercentEncoding.decodePath(path));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"a=1&b=%2F+c~!$'()*,;:@/? | a=1&b=%2F+c~!$'()*,;:@/?",
            "%|%25", "%zz%4|%25zz%254", "a b|a%20b", "[{\"<>^`\\}]#|%5B%7B%22%3C%3E%5E%60%5C%7D%5D%23",
            "\u00ff|%FF"})
    void anAddressStaysAsItIsWhereItIsValid(String query, String expected) {
        assertEquals("/%7Ea?" + expected, PercentEncoding.address("/%7Ea", query));
        assertEquals("/%7Ea", PercentEncoding.address("/%7Ea", null));
    }

    @Property
    void anyTextSurvivesEncodingAndDecoding(@ForAll("texts") String text) {
        assertEquals(text, PercentEncoding.decodePath(PercentEncoding.path(text)));
    }

    @Property
    void decodingReturnsNullOrATextThatCanBeEncoded(@ForAll String path) {
        String text = PercentEncoding.decodePath(path);
        if (text != null) {
            assertEquals(text, PercentEncoding.decodePath(PercentEncoding.path(text)));
        }
    }

    /** All texts that UTF-8 can encode, which excludes lone surrogates. */
    @Provide
    Arbitrary<String> texts() {
        Arbitrary<Integer> codePoints = Arbitraries.oneOf(Arbitraries.integers().between(0, 0x7F),
                Arbitraries.integers().between(0x80, 0xD7FF), Arbitraries.integers().between(0xE000, 0x10FFFF));
        return codePoints.list().ofMaxSize(20).map(
                points -> points.stream().map(Character::toString).collect(Collectors.joining()));
    }
}
