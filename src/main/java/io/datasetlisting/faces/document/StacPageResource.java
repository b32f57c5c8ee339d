package io.datasetlisting.faces.document;

import java.util.List;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.cache.ListingVersion;
import io.datasetlisting.catalogue.search.ListingExtent;
import io.datasetlisting.catalogue.search.SearchResult;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.faces.card.Card;
import io.datasetlisting.faces.collection.Collections;
import io.datasetlisting.faces.collection.ItemCollection;
import io.datasetlisting.faces.detail.DatasetPages;
import io.datasetlisting.faces.detail.JsonView;
import io.datasetlisting.faces.item.SearchQuery;
import io.datasetlisting.faces.stac.Catalogue;
import io.datasetlisting.faces.stac.CatalogueResource;
import io.datasetlisting.faces.stac.ItemPageJson;
import io.datasetlisting.faces.stac.ItemRequests;
import io.datasetlisting.faces.stac.Items;
import io.datasetlisting.faces.stac.SearchResource;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers the addresses of {@code /stac} as pages for people. */
@Path(Endpoints.STAC)
@Produces(MediaTypes.HTML)
public class StacPageResource {

    /** A page has all properties of its items: 20 items take 150 KB, and 100 items 700 KB to 930 KB. */
    private static final int MAX_ITEMS = 20;

    private final Catalogue catalogue;
    private final Collections collections;
    private final ItemRequests requests;
    private final Items items;
    private final ItemPageJson models;
    private final DocumentPages pages;
    private final DatasetPages datasets;
    private final ThumbnailLinks thumbnails;
    private final ListingVersion listing;
    private final String frame;

    StacPageResource(Catalogue catalogue, Collections collections, ItemRequests requests, Items items,
            ItemPageJson models, DocumentPages pages,
            DatasetPages datasets, ThumbnailLinks thumbnails, ListingVersion listing, PageConfig config,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.catalogue = catalogue;
        this.collections = collections;
        this.requests = requests;
        this.items = items;
        this.models = models;
        this.pages = pages;
        this.datasets = datasets;
        this.thumbnails = thumbnails;
        this.listing = listing;
        frame = HtmlPages.frame(config, version, "layout.html", "DocumentPage.html", "jsonView.html",
                "CardView.html", "extent.html");
    }

    @GET
    @Path(CatalogueResource.DOCUMENTS)
    public Uni<Response> document(@Context RoutingContext context) {
        if (Endpoint.of(context).path().equals(Endpoints.STAC + Endpoints.API)) {
            SearchQuery.refuseParameters(context);
            // Relative to the directory of this address, where the page is.
            return Uni.createFrom().item(Response.status(303)
                    .header(HttpHeaders.LOCATION, Endpoints.API_PAGE.substring(1)).build());
        }
        // The version is read first: a change while the document is made then has a later version.
        return version(context).chain(version -> catalogue.document(context).chain(document -> extent(context)
                .chain(extent -> pages.answer(context, version,
                        () -> new DocumentPages.Content(document, null, extent)))));
    }

    /** The extent of the datasets that a document describes: the first document or a collection. Null for another document. */
    private Uni<ListingExtent> extent(RoutingContext context) {
        String path = ItemCollection.pathOf(context);
        boolean isLanding = DocumentHeading.isLanding(path);
        ItemCollection collection = isLanding
                ? ItemCollection.DATASETS
                : ItemCollection.of(path.substring(Endpoints.STAC.length()));
        return collection == null || !isLanding && !path.endsWith(collection.path())
                ? Uni.createFrom().nullItem()
                : collections.extent(collection, Caller.of(context));
    }

    /** The version of a page without datasets. It is null if the page cannot be cached. */
    private Uni<DocumentPages.Version> version(RoutingContext context) {
        return listing.current(Caller.of(context)).map(version -> new DocumentPages.Version(version, "", null))
                .onFailure().recoverWithNull();
    }

    @GET
    @Path(SearchResource.ITEMS)
    public Uni<Response> items(@Context RoutingContext context) {
        return search(context);
    }

    @GET
    @Path(Endpoints.STAC_SEARCH)
    public Uni<Response> search(@Context RoutingContext context) {
        return requests.read(context).chain(asked -> {
            ThumbnailLinks.Signer pictures = thumbnails.signer();
            return items.findDatasets(asked.search().atMost(MAX_ITEMS), Caller.of(context),
                    result -> tag(result, pictures, Language.of(context)).isKnownTo(context))
                    .chain(page -> answer(context, asked, page, pictures));
        });
    }

    /** The page has no time stamp, so that it can be cached. */
    private Uni<Response> answer(RoutingContext context, ItemRequests.Asked asked, Items.Page<StoredDataset> page,
            ThumbnailLinks.Signer pictures) {
        EntityTag tag = tag(page.result(), pictures, Language.of(context));
        // The page is not rendered for a client that knows it.
        if (page.items() == null) {
            return Uni.createFrom().item(EntityTag.notModified(tag.toString()));
        }
        List<Card> cards = page.items().stream()
                .map(stored -> Card.of(stored.dataset(), key -> key == null ? null : pictures.link(key))).toList();
        return pages.answer(context, new DocumentPages.Version(page.result().listing(), pictures.id(), tag),
                () -> new DocumentPages.Content(models.model(page, asked, context), cards, null));
    }

    /** The tag of a page, without the tokens in its links, which differ from one version of the listing to the next. */
    private EntityTag tag(SearchResult result, ThumbnailLinks.Signer pictures, Language language) {
        return new EntityTag(Revision.hash(result.revisions(), result.count()), pictures.id()
                + (result.previous() == null ? "-first" : "") + (result.next() == null ? "-last" : "")
                + HtmlPages.form(language) + frame);
    }

    /** The page of a dataset, with its item. */
    @GET
    @Path(SearchResource.ITEM)
    public Uni<Response> item(@PathParam("id") String id, @Context RoutingContext context) {
        return requests.one(id, context).chain(
                search -> items.findDatasets(search, Caller.of(context), result -> false)).chain(page -> {
                    if (page.items().isEmpty()) {
                        throw ApiException.noSuch(ItemRequests.TYPE);
                    }
                    return datasets.answer(context, id, JsonView.of(models.model(page.items().get(0), context)));
                });
    }
}
