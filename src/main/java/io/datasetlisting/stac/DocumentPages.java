package io.datasetlisting.stac;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cache.ListingVersion;
import io.datasetlisting.cache.PageCache;
import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.Representation;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.web.Card;
import io.datasetlisting.web.CardView;
import io.datasetlisting.web.HtmlPages;
import io.datasetlisting.web.JsonView;
import io.datasetlisting.web.Layout;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.ext.web.RoutingContext;

/** Answers the documents of the catalogue as pages for people. */
@Singleton
class DocumentPages {

    /** The parameter that chooses between JSON and a page. */
    static final String FORMAT = "f";
    /** A page has all properties of its items: 20 items take 150 KB, and 100 items 700 KB to 930 KB. */
    static final int MAX_ITEMS = 20;

    /** More pages at a time would only take more memory. */
    private static final int THREADS = 2;
    /** Each waiting page holds its datasets in memory. Two threads render this number in less than two seconds. */
    private static final int MAX_WAITING = 64;

    private final PageConfig config;
    private final PublicUrl publicUrl;
    private final ListingVersion listing;
    private final PageCache cache;
    private final AtomicInteger pages = new AtomicInteger();
    private final WorkerExecutor threads;

    DocumentPages(PageConfig config, PublicUrl publicUrl, ListingVersion listing, PageCache cache, Vertx vertx) {
        this.config = config;
        this.publicUrl = publicUrl;
        this.listing = listing;
        this.cache = cache;
        threads = vertx.createSharedWorkerExecutor("document-pages", THREADS);
    }

    /** Whether the response to a request is a page. */
    static boolean isPage(RoutingContext context) {
        return MediaTypes.HTML.equals(Representation.of(context).mediaType());
    }

    /**
     * The state of the catalogue that a page shows.
     *
     * @param listing
     *            the listing version, or an older one
     * @param links
     *            the link window; empty without signed links
     */
    record Version(long listing, String links) {
    }

    /** The version of a page without datasets. It is null if the page cannot be cached. */
    Uni<Version> version(RoutingContext context) {
        return Caller.of(context).isAnonymous()
                ? listing.current().map(version -> new Version(version, "")).onFailure().recoverWithNull()
                : Uni.createFrom().nullItem();
    }

    /**
     * The response with the page of a document.
     *
     * @param json
     *            makes the document; called when a thread begins with this page
     * @param datasets
     *            of a page of items; empty for another document
     * @param version
     *            null if the page cannot be cached
     */
    Uni<Response> answer(RoutingContext context, Supplier<JsonNode> json, List<Card> datasets, Version version) {
        String address = publicUrl.of(Endpoint.of(context).path(), context.request());
        if (pages.incrementAndGet() > THREADS + MAX_WAITING) {
            pages.decrementAndGet();
            throw new ApiException(503, "Service temporarily unavailable, try again later.");
        }
        // A page of many items takes longer than the event loop may be blocked.
        return UniHelper.toUni(threads.executeBlocking(() -> {
            if (RequestEnd.hasEnded(context)) {
                // No client waits for this page any more.
                return Response.status(503).build();
            }
            JsonNode document = json.get();
            byte[] html = HtmlPages.render(page(context, address, document, datasets));
            EntityTag tag = EntityTag.ofContent(isSearch(document) ? withoutTokens(html) : html);
            if (version != null) {
                cache.put(context,
                        new PageCache.Answer(version.listing, version.links, tag, null, MediaTypes.HTML, html));
            }
            return respond(context, html, tag);
        }, false)).eventually(pages::decrementAndGet);
    }

    private static boolean isSearch(JsonNode document) {
        return document.has("numberMatched");
    }

    /** The page without the tokens in its links, which differ from one version of the listing to the next. */
    private static byte[] withoutTokens(byte[] html) {
        return new String(html, StandardCharsets.UTF_8).replaceAll("token=[\\w-]+", "")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static Response respond(RoutingContext context, byte[] html, EntityTag tag) {
        return (tag.isKnownTo(context) ? Response.notModified() : Response.ok(html).type(MediaTypes.HTML))
                .header(HttpHeaders.ETAG, tag.toString()).build();
    }

    private DocumentPage page(RoutingContext context, String address, JsonNode document, List<Card> datasets) {
        String heading = heading(context, document);
        QueryString query = QueryString.parse(context.request().query());
        Layout layout = new Layout(config.title(), heading + " · " + config.title(),
                document.path("description").asText(heading), PublicUrl.root(Endpoint.of(context).path()), address);
        return new DocumentPage(layout, heading, document.path("description").asText(null),
                "?" + query.with(FORMAT, "json"), JsonView.of(document),
                isSearch(document) ? search(document, datasets, layout.root()) : null);
    }

    /** The title of the document, or the last name of its address. */
    private static String heading(RoutingContext context, JsonNode document) {
        String path = Endpoint.of(context).path();
        int last = path.lastIndexOf('/') + 1;
        return document.has("title")
                ? document.get("title").asText()
                : path.substring(last, last + 1).toUpperCase(Locale.ROOT) + path.substring(last + 1);
    }

    private static DocumentPage.Search search(JsonNode document, List<Card> datasets, String root) {
        Map<String, String> links = new HashMap<>();
        document.get("links").forEach(link -> links.put(link.get("rel").asText(), link.get("href").asText()));
        String previous = links.get("prev");
        String next = links.get("next");
        return new DocumentPage.Search(document.get("numberMatched").asLong(),
                datasets.stream().map(card -> new CardView(card, root).html()).toList(),
                previous == null ? null : links.get("first"), previous, next,
                next == null ? null : links.get("last"));
    }
}
