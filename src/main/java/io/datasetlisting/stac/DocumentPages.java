package io.datasetlisting.stac;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.Representation;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.web.Card;
import io.datasetlisting.web.CardView;
import io.datasetlisting.web.HtmlPages;
import io.datasetlisting.web.JsonView;
import io.datasetlisting.web.Layout;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.vertx.UniHelper;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/** Answers the documents of the catalogue as pages for people. */
@Singleton
class DocumentPages {

    /** The parameter that chooses between JSON and a page. */
    static final String FORMAT = "f";

    private final PageConfig config;
    private final PublicUrl publicUrl;

    DocumentPages(PageConfig config, PublicUrl publicUrl) {
        this.config = config;
        this.publicUrl = publicUrl;
    }

    /** Whether the response to a request is a page. */
    static boolean isPage(RoutingContext context) {
        return MediaTypes.HTML.equals(Representation.of(context).mediaType());
    }

    /**
     * The response with the page of a document.
     *
     * @param datasets
     *            of a page of items; empty for another document
     */
    Uni<Response> answer(RoutingContext context, JsonNode document, List<Card> datasets) {
        String address = publicUrl.of(Endpoint.of(context).path(), context.request());
        // A page of many items takes longer than the event loop may be blocked.
        return UniHelper.toUni(Vertx.currentContext().executeBlocking(() -> {
            byte[] html = HtmlPages.render(page(context, address, document, datasets));
            return respond(context, html, EntityTag.ofContent(withoutVariation(html, document)));
        }, false));
    }

    /** The page without its time stamp and the tokens in its links, which differ from response to response. */
    private static byte[] withoutVariation(byte[] html, JsonNode document) {
        String timeStamp = document.path("timeStamp").asText();
        return timeStamp.isEmpty()
                ? html
                : new String(html, StandardCharsets.UTF_8).replace(timeStamp, "").replaceAll("token=[\\w-]+", "")
                        .getBytes(StandardCharsets.UTF_8);
    }

    private static Response respond(RoutingContext context, byte[] html, EntityTag tag) {
        return (tag.isKnownTo(context) ? Response.notModified() : Response.ok(html).type(MediaTypes.HTML))
                .header(HttpHeaders.ETAG, tag.weak()).build();
    }

    private DocumentPage page(RoutingContext context, String address, JsonNode document, List<Card> datasets) {
        String heading = heading(context, document);
        QueryString query = QueryString.parse(context.request().query());
        Layout layout = new Layout(config.title(), heading + " · " + config.title(),
                document.path("description").asText(heading), PublicUrl.root(Endpoint.of(context).path()), address);
        return new DocumentPage(layout, heading, document.path("description").asText(null),
                "?" + query.with(FORMAT, "json"), JsonView.of(document),
                document.has("numberMatched") ? search(document, datasets, layout.root()) : null);
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
