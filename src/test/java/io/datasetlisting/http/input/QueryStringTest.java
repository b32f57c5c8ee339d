package io.datasetlisting.http.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.base.PercentEncoding;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Tests that {@link QueryString} parses and writes queries as Django does. */
class QueryStringTest {

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"&", "&&&"})
    void anEmptyQueryIsWrittenAsAnEmptyText(String raw) {
        assertEquals("", rewritten(raw));
    }

    @Test
    void aMissingParameterIsNull() {
        assertNull(QueryString.parse("p=1").get("page_size"));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            # raw,              name, value
            p=2,                p,    2
            flag,               flag, ""
            flag=,              flag, ""
            flag&p=2,           flag, ""
            =x,                 "",   x
            a=b=c,              a,    b=c
            a=1;b=2,            a,    1;b=2
            a=?x,               a,    ?x
            p=1&p=2&p=3,        p,    3
            p=1&q=2&p=,         p,    ""
            &&p=2&&,            p,    2
            %61=1,              a,    1
            a=%2B+%2b,          a,    "+ +"
            a=%26%3D%25,        a,    &=%
            a=%,                a,    %
            a=%4,               a,    %4
            a=%zz,              a,    %zz
            a=%4g%41,           a,    %4gA
            a=%%41,             a,    %A
            a=%2541,            a,    %41
            a=%C3%BC,           a,    ü
            a=%c3%bc,           a,    ü
            a=%F0%9F%9B%B0,     a,    🛰
            a=%E4,              a,    \uFFFD
            a=%C3%28,           a,    \uFFFD(
            a=%E2%82,           a,    \uFFFD
            a=%FF%FE,           a,    \uFFFD\uFFFD
            """)
    void aParameterIsParsedAsInPython(String raw, String name, String value) {
        assertEquals(value, QueryString.parse(raw).get(name));
    }

    @Test
    void aNulIsAnOrdinaryCharacter() {
        assertEquals("a\0b", QueryString.parse("q=a%00b").get("q"));
    }

    @Test
    void rawBytesAreReadAsUtf8() {
        assertEquals("ü and 東京", QueryString.parse("q=" + rawBytes("ü and 東京")).get("q"));
        assertEquals("1", QueryString.parse(rawBytes("ü") + "=1").get("ü"));
    }

    @Test
    void rawBytesThatAreNotUtf8AreReplaced() {
        assertEquals("a\uFFFDb", QueryString.parse("q=a\u00E4b").get("q"));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            # raw,                            written
            flag,                             flag=
            =x,                               =x
            q=a%20b+c,                        q=a+b+c
            "q=a,b/c*d~e",                    q=a%2Cb%2Fc%2Ad~e
            q=%7E_.-,                         q=~_.-
            q='()!@:$;?,                      q=%27%28%29%21%40%3A%24%3B%3F
            q=%zz,                            q=%25zz
            q=%c3%bc,                         q=%C3%BC
            q=%E4,                            q=%EF%BF%BD
            q=a%00b,                          q=a%00b
            b=1&a=2&c=3,                      a=2&b=1&c=3
            b=2&a=9&b=1&a=8&b=3,              a=9&a=8&b=2&b=1&b=3
            page_size=3&p=1&ordering=id,      ordering=id&p=1&page_size=3
            a=1&A=2&_=3&0=4,                  0=4&A=2&_=3&a=1
            """)
    void aQueryIsWrittenAsInDjangoRestFramework(String raw, String written) {
        assertEquals(written, rewritten(raw));
    }

    @Test
    void replacingAParameterRemovesItsRepeatsAndKeepsTheOthers() {
        QueryString query = QueryString.parse("p=1&a=x&p=2&a=y");

        assertEquals("a=x&a=y&p=7", query.with("p", "7").toString());
        assertEquals("a=x&a=y&p=1&p=2", query.toString());
    }

    @Test
    void aNewParameterIsAdded() {
        assertEquals("a=1&p=2", QueryString.parse("a=1").with("p", "2").toString());
    }

    @Test
    void thousandsOfRepeatsAreAllKeptInOrder() {
        String raw = IntStream.range(0, 5_000).mapToObj(i -> "a=" + i).collect(Collectors.joining("&"));

        assertEquals(raw, rewritten(raw));
        assertEquals("4999", QueryString.parse(raw).get("a"));
    }

    /** A parser that searches the rest of the text for each name needs minutes. */
    @Test
    @Timeout(30)
    void aMillionNamesWithoutValuesAreParsedInOnePass() {
        QueryString query = QueryString.parse("aaaaaaa&".repeat(1_000_000) + "last=1");

        assertEquals(1_000_000, query.getAll("aaaaaaa").size());
        assertEquals("1", query.get("last"));
    }

    @Property
    void parsingAndWritingAgainChangesNothing(@ForAll("rawQueries") String raw) {
        String once = rewritten(raw);

        assertEquals(once, rewritten(once));
    }

    @Property
    void anyTextSurvivesWritingAndParsing(@ForAll("texts") String name, @ForAll("texts") String value) {
        QueryString query = QueryString.parse(QueryString.parse(null).with(name, value).toString());

        assertEquals(value, query.get(name));
    }

    @Property
    void textsOfOtherFormEncodersAreParsed(@ForAll("texts") String value) {
        assertEquals(value, QueryString.parse("q=" + URLEncoder.encode(value, StandardCharsets.UTF_8)).get("q"));
    }

    @Property
    void repeatsOfOneNameStayInOrder(@ForAll List<@From("texts") String> values) {
        QueryString query = QueryString.parse("z=1&"
                + values.stream().map(value -> "a=" + PercentEncoding.form(value)).collect(Collectors.joining("&")));

        assertEquals(
                values.stream().map(value -> "a=" + PercentEncoding.form(value) + "&").collect(Collectors.joining())
                        + "z=1",
                query.toString());
    }

    @Provide
    Arbitrary<String> rawQueries() {
        return Arbitraries.strings().withChars("aAzp=&+%25CcfFE0;,/~* \u00C3\u00BC\u00FF\0").ofMaxLength(40);
    }

    /** All texts that UTF-8 can encode, which excludes lone surrogates. */
    @Provide
    Arbitrary<String> texts() {
        Arbitrary<Integer> codePoints = Arbitraries.oneOf(Arbitraries.integers().between(0, 0x7F),
                Arbitraries.integers().between(0x80, 0xD7FF), Arbitraries.integers().between(0xE000, 0x10FFFF));
        return codePoints.list().ofMaxSize(20).map(
                points -> points.stream().map(Character::toString).collect(Collectors.joining()));
    }

    private static String rewritten(String raw) {
        return QueryString.parse(raw).toString();
    }

    /** A text as the HTTP decoder passes it on: one char for each byte. */
    private static String rawBytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
