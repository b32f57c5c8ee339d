package io.datasetlisting.faces.site;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.dataset;
import static io.datasetlisting.support.Catalogue.generated;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import javax.xml.parsers.DocumentBuilderFactory;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.listing.ListingRepository;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.VertxContextSupport;
import io.restassured.response.Response;

/** Tests what search engines read: robots.txt, and the sitemap with its parts. */
@QuarkusTest
class SitemapTest {

    private static final String NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

    @TestHTTPResource("/")
    String root;

    @Inject
    Catalogue catalogue;

    @Inject
    ListingRepository repository;

    @Inject
    DatasetFields fields;

    private static List<Long> publicIds(List<Dataset> datasets) {
        return datasets.stream().filter(Caller.anonymous()::lists)
                .map(d -> d.id).sorted().toList();
    }

    private static Document xml(byte[] text) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            return factory.newDocumentBuilder().parse(new ByteArrayInputStream(text));
        } catch (Exception e) {
            throw new AssertionError(new String(text, StandardCharsets.UTF_8), e);
        }
    }

    /** The texts of all elements with a name. */
    private static List<String> texts(Document document, String name) {
        NodeList elements = document.getElementsByTagNameNS(NAMESPACE, name);
        return IntStream.range(0, elements.getLength()).mapToObj(i -> ((Element) elements.item(i)).getTextContent())
                .toList();
    }

    private static List<Long> ids(byte[] part) {
        return texts(xml(part), "loc").stream().map(url -> Long.valueOf(url.replaceAll(".*/datasets/(\\d+)/", "$1")))
                .toList();
    }

    private byte[] read(String path) {
        Response response = anonymous().get(path);
        response.then().statusCode(200).header("Content-Type", "application/xml")
                .header("Cache-Control", "public, max-age=3600").header("Allow", "GET, HEAD, OPTIONS");
        return response.asByteArray();
    }

    @Test
    void theSitemapHasThePageOfEachPublicDatasetOnce() {
        List<Dataset> datasets = generated(3_000);
        catalogue.replaceWith(datasets);
        Document index = xml(read("/sitemap.xml"));
        assertEquals("sitemapindex", index.getDocumentElement().getLocalName());
        assertEquals(List.of(root + "sitemap-1.xml"), texts(index, "loc"));
        byte[] part = read("/sitemap-1.xml");
        assertEquals("urlset", xml(part).getDocumentElement().getLocalName());
        assertEquals(publicIds(datasets), ids(part));
        assertTrue(texts(xml(part), "loc").stream().allMatch(url -> url.startsWith(root + "datasets/")));
        assertTrue(publicIds(datasets).size() > 2 * 1000, "more than two windows");
        assertEquals(publicIds(datasets), ids(admin().get("/sitemap-1.xml").asByteArray()), "with a token");
    }

    @Test
    void lastmodIsTheTimeOfTheLastChange() {
        catalogue.replaceWith(dataset(1), dataset(2, d -> d.isPrivate = true), dataset(3, d -> d.isDeleted = true),
                dataset(4, d -> d.coordinates = null));
        String changed = catalogue.sql("select to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
                + " from dataset where id = 1").get(0).getString(0);
        assertEquals(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"" + NAMESPACE + "\">\n<url><loc>" + root
                        + "datasets/1/</loc><lastmod>" + changed + "</lastmod></url>\n</urlset>\n",
                new String(read("/sitemap-1.xml"), StandardCharsets.UTF_8));
    }

    /** A sitemap without any address would not be valid. */
    @Test
    void theSitemapOfAnEmptyCatalogueHasThePageOfTheCatalogue() {
        catalogue.replaceWith(dataset(2, d -> d.isPrivate = true));
        assertEquals(List.of(root + "sitemap-1.xml"), texts(xml(read("/sitemap.xml")), "loc"));
        assertEquals(List.of(root + "datasets/"), texts(xml(read("/sitemap-1.xml")), "loc"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 19, 20, 21, 40, 45})
    void aPartHasNoMoreDatasetsThanItMay(int datasets) throws Throwable {
        catalogue.replaceWith(Catalogue.plain(datasets));
        Sitemap sitemap = new Sitemap(repository, fields, 20, 5);
        int parts = Math.max(1, (datasets + 19) / 20);
        assertEquals(IntStream.rangeClosed(1, parts).mapToObj(i -> "http://a.example/x&y/sitemap-" + i + ".xml")
                .toList(),
                texts(xml(VertxContextSupport.subscribeAndAwait(() -> sitemap.index("http://a.example/x&y"))), "loc"));
        List<Long> all = new ArrayList<>();
        for (int i = 1; i <= parts; i++) {
            List<byte[]> chunks = chunks(sitemap, i);
            ByteArrayOutputStream part = new ByteArrayOutputStream();
            chunks.forEach(part::writeBytes);
            if (datasets > 0) {
                List<Long> ids = ids(part.toByteArray());
                assertTrue(i == parts || ids.size() == 20);
                all.addAll(ids);
            }
            // The last chunk is the end tag.
            assertEquals(Math.max(1, (Math.min(20, datasets - 20 * (i - 1)) + 4) / 5), chunks.size() - 1);
        }
        assertEquals(publicIds(Catalogue.plain(datasets)), all);
        assertEquals(404, assertThrows(ApiException.class, () -> chunks(sitemap, parts + 1)).status());
    }

    private static List<byte[]> chunks(Sitemap sitemap, int number) throws Throwable {
        return VertxContextSupport.subscribeAndAwait(() -> sitemap.start(number)
                .chain(start -> sitemap.part("http://a.example/x&y", number, start).collect().asList()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/sitemap-0.xml", "/sitemap-2.xml", "/sitemap-999999999.xml", "/sitemap-01.xml",
            "/sitemap-a.xml", "/sitemap--1.xml", "/sitemap-1000000000000000000000.xml", "/sitemap-.xml"})
    void aPartThatDoesNotExistIs404(String path) {
        catalogue.replaceWith(Catalogue.plain(3));
        anonymous().get(path).then().statusCode(404).header("Content-Type", "application/json")
                .body(equalTo("{\"detail\":\"Not found.\"}"));
        anonymous().request().head(path).then().statusCode(404);
    }

    @Test
    void robotsMayReadPagesAndTheSitemap() {
        assertEquals("""
                User-agent: *
                Disallow: /api/
                Disallow: /stac
                Disallow: /datasets/?
                Disallow: /datasets/changes/?
                Allow: /datasets/changes/?*format=atom
                Disallow: /datasets/grid/
                Disallow: /datasets/language/
                Disallow: /datasets/suggest/
                Disallow: /tiles/
                Disallow: /exports/
                Sitemap: %ssitemap.xml
                """.formatted(root), anonymous().get("/robots.txt").then().statusCode(200)
                .header("Content-Type", "text/plain; charset=utf-8").header("Cache-Control", "public, max-age=3600")
                .extract()
                .asString());
    }
}
