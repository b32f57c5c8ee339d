package io.datasetlisting.dataset.raster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

import jakarta.inject.Inject;

import org.jboss.logmanager.formatters.PatternFormatter;
import org.junit.jupiter.api.Test;

import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.DuckDb;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/**
 * Reads every address in every format, first as the owner of a private dataset, so that all caches are filled, then as other
 * callers. Nothing that others receive has the uav_uid of the dataset, which is in the key of each of its objects and so in each
 * link. What the owner receives has signed links only in pages and redirects, and the log has none.
 */
@QuarkusTest
@TestProfile(RasterViewerTest.WithSignedViewer.class)
class RasterLeakTest extends RastersOfAnOwner {

    private static final Pattern FILE = Pattern.compile("/(assets|stac/api)/([{]id[}]/)?[^/]+\\.(js|css|svg|json)");
    /** In a text, or in the query of an address. */
    private static final Pattern SIGNED_RASTER = Pattern.compile("\\.tif(\\?|%3F)AWSAccessKeyId");
    private static final String SIGNATURE = "Signature";
    private static final String EXPORTS = Endpoints.EXPORTS + "datasets.";

    @Inject
    Endpoints endpoints;

    private final HttpClient client = HttpClient.newHttpClient();

    /** A response with its headers and its decoded content. */
    private record Seen(String request, String cacheControl, String content) {

        boolean isOfRasters() {
            return SIGNED_RASTER.matcher(content).find();
        }
    }

    private long create(boolean isPrivate) {
        return owner.create("{\"coordinates\":[47,7],\"bbox\":[46.9,7.4,46.91,7.42],\"is_private\":" + isPrivate
                + ",\"available_rasters\":[\"ortho\",\"dsm\",\"multispec_ortho\"]}");
    }

    @Test
    void nobodyElseReceivesALinkToARasterOfAPrivateDataset() throws Exception {
        long shown = create(false);
        long hidden = create(true);
        String uidOfShown = uid(shown);
        String uidOfHidden = uid(hidden);
        List<Caller> others = List.of(Caller.anonymous(), Caller.writer("Bob"));
        try (Log log = new Log()) {
            List<Seen> own = walk(owner, shown, hidden);
            Set<String> signed = requests(own, Seen::isOfRasters);
            for (long id : List.of(shown, hidden)) {
                assertTrue(signed.containsAll(Set.of("/datasets/" + id + "/ text/html",
                        "/datasets/" + id + "/?with=" + hidden + " text/html",
                        Listing.PATH + id + "/raster/ortho image/tiff")), signed::toString);
            }
            assertEquals(Set.of(), signed.stream()
                    .filter(request -> !request
                            .matches("(/datasets/\\d+/|/stac/collections/[\\w-]+/items/\\d+)(\\?with=\\d+)? text/html"
                                    + "|/api/dataset/\\d+/raster/ortho/?(\\?with=\\d+)? .*"))
                    .collect(Collectors.toSet()));
            own.stream().filter(Seen::isOfRasters).forEach(
                    seen -> assertTrue(seen.cacheControl.matches(".*(private|no-store).*"), seen::toString));
            for (Caller other : others) {
                List<Seen> seen = walk(other, shown, hidden);
                assertTrue(requests(seen, each -> each.content.contains(uidOfShown)).size() > 20);
                assertEquals(Set.of(), requests(seen, each -> each.content.contains(uidOfHidden)));
            }
            assertTrue(log.lines.stream().anyMatch(line -> line.contains("/raster/ortho")), log.lines::toString);
            assertEquals(List.of(), log.lines.stream().filter(line -> line.contains(SIGNATURE)
                    || line.contains(uidOfHidden)).toList());
        }
        owner.patch(Listing.PATH + shown + '/', "{\"is_private\":true}").then().statusCode(200);
        catalogue.fold();
        Patience.await("an export without the dataset")
                .until(() -> !read(EXPORTS + "ndjson.gz", null, Caller.anonymous()).content.contains(uidOfShown));
        for (Caller other : others) {
            // Readers of the feed learn that the dataset is gone, by its identifier alone.
            assertEquals(Set.of(), requests(walk(other, shown, hidden),
                    each -> each.content.replaceAll("<at:deleted-entry[^>]*>", "").contains(uidOfShown)));
        }
    }

    /** The files outlive the change of a dataset, and copies of them are anywhere. */
    @Test
    void noStoredExportHasASignedLink() throws Exception {
        String uid = uid(create(false));
        catalogue.fold();
        Patience.await("an export with the dataset")
                .until(() -> read(EXPORTS + "ndjson.gz", null, Caller.anonymous()).content.contains(uid));
        for (String format : List.of("ndjson.gz", "parquet", "fgb")) {
            String content = read(EXPORTS + format, null, Caller.anonymous()).content;
            assertTrue(content.contains(uid), content);
            assertFalse(content.contains(SIGNATURE), content);
        }
    }

    private static Set<String> requests(List<Seen> all, Predicate<Seen> condition) {
        return all.stream().filter(condition).map(Seen::request).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Reads every address with each of its media types, and pages with both datasets. */
    private List<Seen> walk(Caller caller, long shown, long hidden) throws Exception {
        List<Seen> all = new ArrayList<>();
        for (Endpoint endpoint : endpoints.all()) {
            // The redirect to the newest export is followed.
            if (!endpoint.allows("GET") || FILE.matcher(endpoint.path()).matches()
                    || endpoint.path().contains("{version}")) {
                continue;
            }
            for (long id : endpoint.path().contains("{id}") ? new long[]{shown, hidden} : new long[]{shown}) {
                String path = endpoint.path().replace("{id}", Long.toString(id)).replace("{product}", "ortho")
                        .replace("{workspace}", Long.toString(owner.workspace())).replaceAll("\\{[xyz]}", "0");
                for (String type : endpoint.renders()) {
                    if (!type.equals(MediaTypes.EVENT_STREAM)) {
                        all.add(read(path, type, caller));
                        all.add(read(path + "?with=" + hidden, type, caller));
                    }
                }
            }
        }
        return all;
    }

    /**
     * @param type
     *            the accepted media type, or null
     */
    private Seen read(String target, String type, Caller caller) throws Exception {
        HttpRequest.Builder builder = HttpRequest.newBuilder(service.resolve(target));
        if (type != null) {
            builder.header("Accept", type);
        }
        if (caller.key() != null) {
            builder.header("Authorization", "Token " + caller.key());
        }
        HttpResponse<byte[]> response = client.send(builder.build(), BodyHandlers.ofByteArray());
        if (response.statusCode() == 302 && target.startsWith(Endpoints.EXPORTS)) {
            response = client.send(HttpRequest.newBuilder(URI.create(response.headers().firstValue("Location").get()))
                    .build(), BodyHandlers.ofByteArray());
        }
        String request = target + " " + type;
        assertTrue(response.statusCode() < 500 || response.statusCode() == 503, request + response.statusCode());
        return new Seen(request, response.headers().firstValue("Cache-Control").orElse(""),
                response.headers().map() + content(response));
    }

    private static String content(HttpResponse<byte[]> response) throws Exception {
        String type = response.headers().firstValue("Content-Type").orElse("");
        if (response.statusCode() == 200 && type.equals(MediaTypes.GEO_PARQUET)) {
            try (DuckDb duckDb = new DuckDb(response.body())) {
                return duckDb.rows("*").toString();
            }
        }
        if (response.statusCode() == 200 && type.equals(MediaTypes.GZIP)) {
            try (GZIPInputStream lines = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
                return new String(lines.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    /** What the service logs while this object is open, with the access log. */
    private static final class Log extends Handler implements AutoCloseable {

        private static final Formatter FORMAT = new PatternFormatter("%c %s%e");

        private final Queue<String> lines = new ConcurrentLinkedQueue<>();

        Log() {
            Logger.getLogger("").addHandler(this);
        }

        @Override
        public void publish(LogRecord entry) {
            lines.add(FORMAT.format(entry));
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            Logger.getLogger("").removeHandler(this);
        }
    }
}
