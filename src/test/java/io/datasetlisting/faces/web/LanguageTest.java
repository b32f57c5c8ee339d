package io.datasetlisting.faces.web;

import static io.datasetlisting.support.Catalogue.dataset;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.HtmlPage;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;

/** Tests the languages of the pages. */
@QuarkusTest
class LanguageTest {

    private static final String LIST = "/datasets/";
    /** Messages that are the same words in English and in another language. */
    private static final Set<String> SAME = Set.of("de label_doi", "fr label_doi", "es label_doi",
            "ar label_doi", "fr label_citation", "fr service", "fr label_description",
            "de square_kilometres", "fr square_kilometres", "es square_kilometres",
            "fr centimetres_per_pixel", "fr metres_per_pixel");
    private static final List<String> BUNDLES = List.of("msg", "category", "dataset", "document", "script", "site",
            "form", "editing", "access");
    /** Words that no sentence of another language has. */
    private static final Pattern ENGLISH = Pattern.compile("(?i)\\b(the|and|dataset|datasets|of|is|with|search)\\b");
    private static final Pattern NAMED = Pattern.compile("sentence\\('(\\w+)'|\\.textContent\\)\\.(\\w+)");
    private static final Pattern TERNARY = Pattern.compile("sentence\\([^']* \\? '(\\w+)' : '(\\w+)'");
    private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");
    /** The name of a text, and the beginning of its values, in a template and in a class. */
    private static final Pattern IN_TEMPLATE = Pattern.compile("[{ =(,]([a-z]+:\\w+)(\\()?");
    private static final Pattern IN_CLASS = Pattern.compile("[ (]\"([a-z]+:\\w+)\"(,\\s)?");
    /** The folders whose files name texts. */
    private static final Map<String, Pattern> NAMES = Stream
            .concat(Stream.of("resources/templates"),
                    Stream.of("site", "document", "detail", "list", "view", "card", "ground", "web")
                            .map("java/io/datasetlisting/faces/"::concat))
            .collect(Collectors.toMap(Function.identity(),
                    folder -> folder.startsWith("java") ? IN_CLASS : IN_TEMPLATE));

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
    @ValueSource(strings = {"/datasets/", "/datasets/3/", "/datasets/?p=99", "/datasets/changes/", "/nowhere", "/docs/",
            "/stac?f=html",
            "/stac/search?f=html", "/stac/collections/datasets/items/3?f=html"})
    void eachPageHasAFrameInItsLanguage(String path) {
        catalogue.replaceWith(Catalogue.plain(20));
        Response page = get(path, "Accept-Language", "de");
        assertLanguage("de", page);
        HtmlPage html = HtmlPage.parse(page.asString());
        assertEquals(path.matches("/datasets/(\\?.*)?") ? "Zu den Ergebnissen springen" : "Zum Inhalt springen",
                html.one("//h:a[@class='skip']"));
        assertEquals(List.of(), html.select("//h:main/@lang"));
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
        for (String bundle : BUNDLES) {
            compare(language, messages(bundle, "en"), messages(bundle, language.tag()));
        }
    }

    private static void compare(io.datasetlisting.http.Language language, Properties english, Properties own) {
        assertEquals(new TreeSet<>(english.stringPropertyNames()), new TreeSet<>(own.stringPropertyNames()));
        english.stringPropertyNames().forEach(name -> {
            String text = own.getProperty(name);
            assertFalse(text.isBlank(), name);
            assertEquals(parameters(english.getProperty(name)), parameters(text), name);
            assertTrue(language.tag().equals("en") || mayBeSame(name, language.tag())
                    || !text.equals(english.getProperty(name)), name);
        });
    }

    /** An unknown name, a name that nothing uses and a wrong value of a text are found without its page. */
    @Test
    void eachTextIsNamedAndGetsItsValues() throws IOException {
        Map<String, List<String>> known = new TreeMap<>();
        for (String bundle : BUNDLES.stream().filter(each -> !Set.of("script", "editing").contains(each)).toList()) {
            messages(bundle, "en").forEach((name, text) -> known.put(bundle + ':' + name, PARAMETER
                    .matcher(text.toString()).results().map(found -> found.group(1)).distinct().toList()));
        }
        Set<String> named = new TreeSet<>();
        for (var folder : NAMES.entrySet()) {
            try (Stream<Path> files = Files.walk(Path.of("src/main", folder.getKey()))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    String source = Files.readString(file);
                    folder.getValue().matcher(source).results().forEach(call -> {
                        named.add(call.group(1));
                        List<String> values = call.group(2) == null ? List.of() : values(source, call.end());
                        compare(file + ": " + call.group(1), known.getOrDefault(call.group(1), List.of()), values);
                    });
                }
            }
        }
        assertEquals(known.keySet(), named);
    }

    /** The order of the English text is that of the values, so each of several values has the name of its parameter in it. */
    private static void compare(String call, List<String> parameters, List<String> values) {
        assertEquals(parameters.size(), values.size(), call);
        for (int i = 0; values.size() > 1 && i < values.size(); i++) {
            assertTrue(List.of(values.get(i).split("\\W+")).contains(parameters.get(i)), call + values);
        }
    }

    /** The values of a call, up to the parenthesis that ends it. */
    private static List<String> values(String source, int begin) {
        List<String> values = new ArrayList<>();
        int depth = 0;
        int start = begin;
        for (int i = begin; depth >= 0; i++) {
            char c = source.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth < 0 || depth == 0 && c == ',') {
                values.add(source.substring(start, i));
                start = i + 1;
            }
        }
        return values;
    }

    private static boolean mayBeSame(String name, String tag) {
        return name.equals("direction") && !tag.equals("ar") || SAME.contains(tag + " " + name);
    }

    /** Each text of a page that is not English is in an element that says so, or is the value of a field. */
    @ParameterizedTest
    @ValueSource(strings = {"/datasets/", "/datasets/?category=Forest&available_rasters=dsm", "/datasets/?p=99",
            "/datasets/?in_bbox=x", "/datasets/?intersects=POLYGON((0%200,0%201,1%201,0%200))",
            "/datasets/?intersects=x&workspace=1,2,3,4&user=1,2,3,4&band=1,2,3,4", "/datasets/?q=x", "/datasets/1/",
            "/datasets/1/?with=1",
            "/datasets/new/", "/datasets/1/edit/", "/datasets/drafts/",
            "/datasets/deleted/", "/datasets/tokens/", "/datasets/accounts/", "/datasets/404/", "/nowhere",
            "/docs/", "/stac?f=html",
            "/stac/collections?f=html", "/stac/collections/areas?f=html", "/stac/conformance?f=html",
            "/stac/queryables?f=html", "/stac/search?f=html", "/stac/collections/datasets/items/1?f=html",
            "/stac/api.html", "/stac/search?f=html&limit=x"})
    void aPageInAnotherLanguageHasNoEnglishSentence(String path) throws IOException {
        catalogue.replaceWith(dataset(1, d -> {
            d.datasetName = "X";
            d.ownerName = "Y";
            d.availableRasters = new String[]{"dsm", "ortho"};
            d.bandStats = "{\"dsm\":{\"b1\":{\"min\":1,\"max\":3,\"mean\":2,\"stddev\":1}},\"dtm\":{},\"ortho\":{}}";
            d.bbox = new double[]{36.2, -86.8, 36.3, -86.7};
            d.coordinates = new double[]{36.25, -86.75};
            d.thumbnailKey = "thumbnails/1.png";
        }));
        Set<String> english = new TreeSet<>();
        for (String bundle : BUNDLES) {
            messages(bundle, "en").values().forEach(text -> sentences(text.toString()).forEach(english::add));
        }
        for (String tag : List.of("de", "fr", "es", "ar")) {
            for (String bundle : BUNDLES) {
                messages(bundle, tag).values()
                        .forEach(text -> sentences(text.toString()).forEach(english::remove));
            }
        }
        for (String tag : List.of("de", "fr", "es", "ar")) {
            HtmlPage html = HtmlPage.parse(get(path, "Accept-Language", tag).asString());
            List<String> texts = new ArrayList<>(html.select("//h:body//text()[not(ancestor::h:script) and "
                    + "not(ancestor::*[@lang='en']) and not(ancestor::h:code or ancestor::*[@class='citation'])]"));
            texts.addAll(html.select("//h:body//*[not(ancestor-or-self::*[@lang='en'])]/@*[name() = 'aria-label' or "
                    + "name() = 'title' or name() = 'alt' or name() = 'placeholder']"));
            texts.addAll(html.select("//h:title | //h:meta[@name='description']/@content"));
            assertTrue(texts.size() > 10, texts::toString);
            // The operator chooses the name of the catalogue.
            String catalogueName = html.one("//h:a[@class='catalogue']");
            assertEquals(List.of(), texts.stream()
                    .flatMap(text -> sentences(text.replace(catalogueName, "")).stream())
                    .filter(text -> english.contains(text) || ENGLISH.matcher(text).find()).toList(), tag);
        }
    }

    /** The parts of a text between elements, parameters and the signs of a sentence. */
    private static List<String> sentences(String text) {
        return Stream.of(text.split("<[^>]*>|\\{\\w+}|[.:,;!?]")).map(part -> part.strip().replaceAll("\\s+", " "))
                .filter(part -> part.length() > 3).toList();
    }

    @Test
    void theValuesOfADatasetHaveTheirNames() {
        catalogue.replaceWith(dataset(1, d -> {
            d.category = new String[]{"Forest", "Wetlands"};
            d.availableRasters = new String[]{"dsm"};
        }));
        for (int i = 0; i < 2; i++) {
            for (String path : List.of(LIST, LIST + "1/", "/stac/search?f=html")) {
                HtmlPage page = HtmlPage.parse(get(path, "Accept-Language", "de").asString());
                String german = text(page);
                assertTrue(german.contains("Feuchtgebiete") && german.contains("Oberflächenmodell (DSM)"), german);
                assertFalse(text(page).contains("Wetlands"), path);
                assertTrue(HtmlPage.parse(get(path).asString()).one("//h:main").contains("Wetlands"), path);
            }
        }
        HtmlPage list = HtmlPage.parse(get(LIST + "?category=Wetlands", "Accept-Language", "fr").asString());
        assertEquals("Zones humides : 1 jeu de données", list.one("//h:h1").replaceAll("\\p{Z}", " "));
        assertEquals(List.of("Forêt", "Zones humides"), list.select("//*[@class='category']"));
        HtmlPage arabic = HtmlPage.parse(get(LIST + "1/", "Accept-Language", "ar").asString());
        assertEquals("rtl", arabic.one("/h:html/@dir"));
        assertEquals(List.of("غابة", "أراض رطبة"),
                arabic.select("//*[@class='facts']/h:a[@class='category']"));
        assertEquals("أراض رطبة: مجموعات البيانات 1", HtmlPage
                .parse(get(LIST + "?category=Wetlands", "Accept-Language", "ar").asString()).one("//h:h1"));
    }

    /** The text of the content without what is English. */
    private static String text(HtmlPage page) {
        return String.join(" ", page.select("//h:main//text()[not(ancestor::*[@lang='en'])]"));
    }

    @Test
    void theScriptsHaveTheirSentences() throws IOException {
        for (String path : List.of(LIST, "/docs/", "/nowhere")) {
            String json = HtmlPage.parse(get(path, "Accept-Language", "es").asString())
                    .one("//h:script[@id='sentences']");
            Map<String, Object> sentences = new JsonObject(json).getMap();
            assertEquals(messages("script", "es"), sentences);
        }
        // Every sentence that a script names exists, and the other way round.
        Set<String> named = new TreeSet<>();
        for (Path folder : List.of(Path.of("src/main/resources/web"), Path.of("src/main/resources/docs"))) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(each -> each.toString().endsWith(".js")).toList()) {
                    String script = Files.readString(file);
                    NAMED.matcher(script).results()
                            .forEach(found -> named.add(found.group(found.group(1) == null ? 2 : 1)));
                    TERNARY.matcher(script).results()
                            .forEach(found -> named.addAll(List.of(found.group(1), found.group(2))));
                }
            }
        }
        Set<String> known = new TreeSet<>(messages("script", "en").stringPropertyNames());
        known.removeIf(name -> name.startsWith("suggest_"));
        assertEquals(known, named);
    }

    @Test
    void theScriptsOfTheFormHaveTheirSentences() throws IOException {
        Set<String> named = new TreeSet<>();
        for (String file : List.of("form.js", "values.js", "picture.js", "conflict.js",
                "unlisted.js", "sides.js", "rasters.js")) {
            Matcher names = Pattern.compile("'(\\w+)'")
                    .matcher(Files.readString(Path.of("src/main/resources/web", file)));
            names.results().forEach(found -> named.add(found.group(1)));
        }
        Set<String> known = messages("editing", "en").stringPropertyNames();
        // The script makes these names of the kind of a location.
        Set<String> made = Set.of("hint_of_box", "hint_of_point");
        assertEquals(Set.of(), known.stream().filter(name -> !named.contains(name) && !made.contains(name))
                .collect(Collectors.toSet()));
        Caller writer = Caller.writer("words");
        for (String tag : List.of("en", "de", "fr", "es", "ar")) {
            HtmlPage page = HtmlPage.parse(writer.request().header("Accept", "text/html").header("Accept-Language", tag)
                    .get("/datasets/new/").asString());
            assertEquals(messages("editing", tag),
                    new JsonObject(page.one("//h:script[@id='words-of-form']")).getMap());
            assertEquals(messages("form", tag).getProperty("save"),
                    page.one("//h:form[@id='dataset']//h:button[@type='submit']"));
        }
    }

    private static Set<String> parameters(String text) {
        return PARAMETER.matcher(text).results().map(found -> found.group()).collect(Collectors.toSet());
    }

    private static Properties messages(String bundle, String tag) throws IOException {
        Properties messages = new Properties();
        try (InputStream file = LanguageTest.class
                .getResourceAsStream("/messages/" + bundle + "_" + tag + ".properties")) {
            messages.load(new InputStreamReader(file, StandardCharsets.UTF_8));
        }
        return messages;
    }
}
