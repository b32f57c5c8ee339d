package io.datasetlisting.web;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;

/** Tests the languages of the pages. */
@QuarkusTest
class LanguageTest {

    private static final String LIST = "/datasets/";
    /** Messages that are the same words in English and in another language. */
    private static final Set<String> SAME = Set.of("de token", "fr service");
    private static final Pattern PARAMETER = Pattern.compile("\\{\\w+}");

    @Inject
    Catalogue catalogue;

    private static Response get(String path, String... headers) {
        var request = given().header("Accept", "text/html");
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.redirects().follow(false).get(path);
    }

    private static void assertLanguage(String tag, Response page) {
        assertEquals(tag, page.header("Content-Language"));
        assertEquals("Accept, Accept-Encoding, Accept-Language, Cookie", page.header("Vary"));
        assertEquals(tag, HtmlPage.parse(page.asString()).one("/h:html/@lang"));
    }

    @ParameterizedTest
    @CsvSource({"en, ltr, Newest first", "de, ltr, Neueste zuerst", "fr, ltr, Plus récents d’abord",
            "es, ltr, Más recientes primero", "ar, rtl, الأحدث أولا"})
    void thePageHasTheLanguageOfTheBrowser(String tag, String direction, String order) {
        catalogue.replaceWith(Catalogue.plain(20));
        Response page = get(LIST, "Accept-Language", tag + "-XX, en;q=0.1");
        assertLanguage(tag, page);
        HtmlPage html = HtmlPage.parse(page.asString());
        assertEquals(direction, html.one("/h:html/@dir"));
        assertEquals(order, html.select("//h:nav[@class='orders']/h:a").get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/datasets/", "/datasets/3/", "/datasets/?p=99", "/nowhere", "/docs/", "/stac?f=html",
            "/stac/search?f=html", "/stac/collections/datasets/items/3?f=html"})
    void eachPageHasAFrameInItsLanguage(String path) {
        catalogue.replaceWith(Catalogue.plain(20));
        Response page = get(path, "Accept-Language", "de");
        assertLanguage("de", page);
        HtmlPage html = HtmlPage.parse(page.asString());
        assertEquals("Zum Inhalt springen", html.one("//h:a[@class='skip']"));
        // A screen reader speaks the English content of the other pages in English.
        assertEquals(path.startsWith("/datasets/?") || path.equals("/datasets/") ? List.of() : List.of("en"),
                html.select("//h:main/@lang"));
    }

    @Test
    void theCookieHasPriority() {
        assertLanguage("fr", get(LIST, "Accept-Language", "de", "Cookie", "a=b; language=fr"));
    }

    @Test
    void aPageInOneLanguageIsNeverServedForAnother() {
        catalogue.replaceWith(Catalogue.plain(20));
        Response english = get(LIST);
        for (int i = 0; i < 3; i++) {
            for (String tag : new String[]{"en", "de", "ar", "en"}) {
                Response page = get(LIST, "Accept-Language", tag, "If-None-Match",
                        tag.equals("en") ? "\"other\"" : english.header("ETag"));
                assertEquals(200, page.statusCode());
                assertLanguage(tag, page);
            }
        }
        Response german = get(LIST, "Accept-Language", "de");
        assertNotEquals(english.header("ETag"), german.header("ETag"));
        Response same = get(LIST, "Accept-Language", "de", "If-None-Match", german.header("ETag"));
        assertEquals(304, same.statusCode());
        assertEquals("de", same.header("Content-Language"));
    }

    @Test
    void theSwitchSetsTheCookieAndLeadsBack() {
        String own = HtmlPage.parse(get(LIST).asString()).meta("property", "og:url");
        Response chosen = get(LIST + "language/?language=ar", "Referer", own + "?p=2");
        assertEquals(303, chosen.statusCode());
        assertEquals(own + "?p=2", chosen.header("Location"));
        assertEquals("language=ar; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly", chosen.header("Set-Cookie"));
        assertEquals(400, get(LIST + "language/?language=xx").statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example/", "//evil.example/", "http://localhost.evil.example/",
            "javascript:1",
            "http://localhost:8081@evil.example/", "HERElanguage/?language=de"})
    void theSwitchNeverLeadsToAnotherHost(String from) {
        String own = HtmlPage.parse(get(LIST).asString()).meta("property", "og:url");
        assertEquals(own, get(LIST + "language/?language=de", "Referer", from.replace("HERE", own)).header("Location"));
    }

    @Test
    void dataHasNoLanguage() {
        Response data = given().header("Accept-Language", "de").get("/api/dataset/");
        assertNull(data.header("Content-Language"));
        assertEquals("Accept, Accept-Encoding", data.header("Vary"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"q=abc", "de;q=abc", ",,,,", "*", "xx", "de;q=-1"})
    void aHostileHeaderIsEnglish(String value) {
        assertLanguage("en", get(LIST, "Accept-Language", value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"xx", "*", "de,fr", "../de", "de%0d%0a", "DE"})
    void aHostileCookieIsEnglish(String value) {
        assertLanguage("en", get(LIST, "Cookie", "language=" + value));
    }

    @Test
    void aLongHeaderIsEnglish() {
        assertLanguage("en", get(LIST, "Accept-Language", "de," + "fr,".repeat(2000)));
        assertLanguage("en", get(LIST, "Cookie", "language=" + "de".repeat(3000)));
    }

    @ParameterizedTest
    @MethodSource("io.datasetlisting.http.Language#values")
    void eachLanguageHasEachMessage(io.datasetlisting.http.Language language) throws IOException {
        Properties english = messages("en");
        Properties own = messages(language.tag());
        assertEquals(new TreeSet<>(english.stringPropertyNames()), new TreeSet<>(own.stringPropertyNames()));
        english.stringPropertyNames().forEach(name -> {
            String text = own.getProperty(name);
            assertFalse(text.isBlank(), name);
            assertEquals(parameters(english.getProperty(name)), parameters(text), name);
            assertTrue(language.tag().equals("en") || mayBeSame(name, language.tag())
                    || !text.equals(english.getProperty(name)), name);
        });
    }

    private static boolean mayBeSame(String name, String tag) {
        return name.equals("direction") && !tag.equals("ar") || SAME.contains(tag + " " + name);
    }

    private static Set<String> parameters(String text) {
        return PARAMETER.matcher(text).results().map(found -> found.group()).collect(Collectors.toSet());
    }

    private static Properties messages(String tag) throws IOException {
        Properties messages = new Properties();
        try (InputStream file = LanguageTest.class.getResourceAsStream("/messages/msg_" + tag + ".properties")) {
            messages.load(new InputStreamReader(file, StandardCharsets.UTF_8));
        }
        return messages;
    }
}
