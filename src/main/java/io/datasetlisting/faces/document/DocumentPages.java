package io.datasetlisting.faces.document;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.catalogue.cache.PageCache;
import io.datasetlisting.catalogue.search.ListingExtent;
import io.datasetlisting.faces.card.Card;
import io.datasetlisting.faces.card.CardView;
import io.datasetlisting.faces.collection.ItemCollection;
import io.datasetlisting.faces.detail.JsonView;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.input.WorkerThreads;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

/**
 * Makes pages of the documents of the catalogue, on threads of its own: a page of many items takes longer than an event loop may
 * be blocked.
 */
@Singleton
class DocumentPages {

    /** More pages at a time would only take more memory. */
    private static final int THREADS = 2;
    /** Each waiting page holds its datasets in memory. Two threads render this number in less than two seconds. */
    private static final int MAX_WAITING = 64;

    private final PageConfig config;
    private final PublicUrl publicUrl;
    private final PageCache cache;
    private final WorkerThreads threads;

    DocumentPages(PageConfig config, PublicUrl publicUrl, PageCache cache, Vertx vertx) {
        this.config = config;
        this.publicUrl = publicUrl;
        this.cache = cache;
        threads = new WorkerThreads(vertx, "document-pages", THREADS, MAX_WAITING,
                "Service temporarily unavailable, try again later.");
    }

    /**
     * A document of the catalogue as a page.
     *
     * @param description
     *            null if the document has none
     * @param json
     *            relative address of the document as JSON
     * @param document
     *            all that the JSON contains
     * @param search
     *            null for a document without items
     * @param isEnglish
     *            whether heading and description are those of the document, which are English
     * @param isLanding
     *            whether the document is the first one of the catalogue
     * @param facts
     *            what people look for in the document
     * @param itemsHref
     *            link to the items of a collection; null for another document
     * @param collections
     *            the collections that every catalogue has, for the first document; these of the page, for the list of
     *            collections; otherwise empty
     * @param words
     *            the free text of a search of collections; null for a document that is not a list of them
     * @param collectionsHref
     *            link to the list of all collections
     * @param previous
     *            link to the page before this one; null without one
     */
    @CheckedTemplate(basePath = "")
    record DocumentPage(HtmlPages.Layout page, String heading, String description, boolean isEnglish, String json,
            JsonView document, Search search, boolean isLanding, DocumentFacts facts, String itemsHref,
            List<CollectionLink> collections, String words, String collectionsHref, String previous, String next)
            implements
                TemplateInstance {
    }

    /** A collection of the catalogue. */
    record CollectionLink(String href, String title, String description) {
    }

    /**
     * A page of items as the cards of the list. A link is null where there is no such page.
     *
     * @param count
     *            datasets on all pages
     * @param cards
     *            the datasets as HTML
     * @param first
     *            link to the first page
     * @param previous
     *            link to the page before this one
     */
    record Search(long count, List<String> cards, String first, String previous, String next, String last) {
    }

    /**
     * The content of a page.
     *
     * @param cards
     *            of a page of items; null for another document
     * @param extent
     *            of the datasets that the document describes; null if it describes none
     */
    record Content(JsonNode document, List<Card> cards, ListingExtent extent) {
    }

    /**
     * The state of the catalogue that a page shows.
     *
     * @param listing
     *            the listing version, or an older one
     * @param links
     *            the link window; empty without signed links
     * @param tag
     *            null if the tag is made of the page
     */
    record Version(long listing, String links, EntityTag tag) {
    }

    /**
     * The response with a page.
     *
     * @param content
     *            makes the content; called when a thread begins with this page
     * @param version
     *            null if the page cannot be cached
     */
    Uni<Response> answer(RoutingContext context, Version version, Supplier<Content> content) {
        String address = publicUrl.of(ItemCollection.pathOf(context), context.request());
        return threads.run(context, () -> {
            byte[] html = HtmlPages.render(page(context, address, content.get()), Language.of(context));
            EntityTag tag = version == null || version.tag == null ? EntityTag.ofContent(html) : version.tag;
            if (version != null) {
                cache.put(context,
                        new PageCache.Answer(version.listing, version.links, tag, null, MediaTypes.HTML, html));
            }
            return tag.respond(context, html, MediaTypes.HTML).build();
        });
    }

    private DocumentPage page(RoutingContext context, String address, Content content) {
        JsonNode document = content.document;
        String path = ItemCollection.pathOf(context);
        Language language = Language.of(context);
        QueryString query = QueryString.parse(context.request().query());
        DocumentHeading heading = DocumentHeading.of(path, document, language);
        HtmlPages.Layout layout = HtmlPages.Layout.of(config, heading.title(),
                heading.description() == null ? heading.title() : heading.description(), PublicUrl.root(path), address);
        ItemCollection collection = ItemCollection.of(path.substring(Endpoints.STAC.length()));
        boolean isLanding = DocumentHeading.isLanding(path);
        return new DocumentPage(layout, heading.title(), heading.description(), heading.isEnglish(),
                "?" + query.with(Endpoint.FORMAT, "json"),
                JsonView.of(document), content.cards == null ? null : search(content, layout.root(), language),
                isLanding,
                DocumentFacts.of(document, content.extent, collection == null ? null : collection.workspace()),
                collection != null && path.endsWith(collection.path())
                        ? stac(layout, collection.path() + Endpoints.ITEMS)
                        : null,
                isLanding
                        ? collections(ItemCollection.FIXED.stream(), layout, language)
                        : collections(listed(document), layout, language),
                document.has("collections") ? Objects.toString(query.get("q"), "") : null,
                stac(layout, Endpoints.COLLECTIONS), links(document).get("prev"), links(document).get("next"));
    }

    private static String stac(HtmlPages.Layout layout, String path) {
        return layout.root() + (Endpoints.STAC + path).substring(1) + "?f=html";
    }

    /** The collections of a list; none for another document. */
    private static Stream<ItemCollection> listed(JsonNode document) {
        return document.path("collections").valueStream().map(ItemCollection::of);
    }

    private static List<CollectionLink> collections(Stream<ItemCollection> collections, HtmlPages.Layout layout,
            Language language) {
        return collections.map(each -> {
            DocumentHeading heading = DocumentHeading.of(each, language);
            return new CollectionLink(stac(layout, each.path()), heading.title(), heading.description());
        }).toList();
    }

    /** The addresses of the links of a document by their names. */
    private static Map<String, String> links(JsonNode document) {
        Map<String, String> links = new HashMap<>();
        document.path("links").forEach(link -> links.put(link.get("rel").asText(), link.get("href").asText()));
        return links;
    }

    private static Search search(Content content, String root, Language language) {
        Map<String, String> links = links(content.document);
        String previous = links.get("prev");
        String next = links.get("next");
        return new Search(content.document.get("numberMatched").asLong(),
                content.cards.stream().map(card -> new CardView(card, root).html(language)).toList(),
                previous == null ? null : links.get("first"), previous, next,
                next == null ? null : links.get("last"));
    }
}
