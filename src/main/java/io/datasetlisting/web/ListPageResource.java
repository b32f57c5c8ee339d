package io.datasetlisting.web;

import java.util.List;
import java.util.function.Supplier;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.cache.PageCache;
import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.Representation;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.listing.ListingQuery;
import io.datasetlisting.listing.ListingRepository;
import io.datasetlisting.listing.ListingResult;
import io.datasetlisting.paging.ListRequest;
import io.datasetlisting.paging.PagingConfig;
import io.datasetlisting.query.LastDay;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers the list of datasets as a page for people. */
@Path(Endpoints.PAGES)
@Produces(MediaTypes.HTML)
public class ListPageResource {

    private final ListingRepository repository;
    private final ListPages list;
    private final Cards cards;
    private final DidYouMean didYouMean;
    private final PageCache pages;
    private final PagingConfig paging;
    private final PublicUrl publicUrl;
    private final DatasetFields fields;
    private final FieldSelection shown;

    ListPageResource(ListingRepository repository, ListPages list, Cards cards, DidYouMean didYouMean, PageCache pages,
            PagingConfig paging,
            PublicUrl publicUrl, DatasetFields fields) {
        this.repository = repository;
        this.list = list;
        this.cards = cards;
        this.didYouMean = didYouMean;
        this.pages = pages;
        this.paging = paging;
        this.publicUrl = publicUrl;
        this.fields = fields;
        shown = fields.select(fields.table().stream().filter(DatasetField::isOnCards).map(DatasetField::name).toList());
    }

    @GET
    public Uni<Response> list(@Context RoutingContext context) {
        // A form sends its empty fields, too. The fields and the format of the API mean nothing on a page.
        QueryString asked = QueryString.parse(context.request().query()).withoutBlank().without("fields", "format");
        String service = publicUrl.of("", context.request());
        ListingQuery query;
        try {
            query = ListingQuery.parse(LastDay.toMoment(asked), paging, fields).showing(shown);
        } catch (ApiException e) {
            if (e.status() != 400 || Representation.of(context).problem()) {
                throw e;
            }
            return Uni.createFrom().item(refuse(400,
                    list.wrongFilters(ListRequest.parse(asked, paging, fields.sortable()), e.sentences(), service)));
        }
        Caller caller = Caller.of(context);
        return repository.listRevisions(query, caller)
                .chain(result -> respond(context, new ListPages.View(query, result, service),
                        () -> cards.find(result, caller)))
                // A dataset has changed since its revision was read. One statement reads the page in one snapshot.
                .onItem().ifNull().switchTo(() -> repository.list(query, caller)
                        .chain(result -> respond(context, new ListPages.View(query, result, service),
                                () -> Uni.createFrom().item(Cards.of(result)))));
    }

    /** Null without cards. */
    private Uni<Response> respond(RoutingContext context, ListPages.View view, Supplier<Uni<List<String>>> cards) {
        ListingResult result = view.result();
        if (result.revisions().isEmpty() && view.request().page() > 1) {
            if (Representation.of(context).problem()) {
                throw ListRequest.invalidPage();
            }
            return Uni.createFrom().item(refuse(404, list.noSuchPage(view)));
        }
        return didYouMean.html(result, view.request().query(), Caller.of(context))
                .chain(html -> respond(context, view, html, cards));
    }

    private Uni<Response> respond(RoutingContext context, ListPages.View view, String noMatch,
            Supplier<Uni<List<String>>> cards) {
        ListingResult result = view.result();
        EntityTag tag = DidYouMean.tag(list.tag(result), noMatch);
        // The page is not rendered for a client that knows it.
        if (tag.isKnownTo(context)) {
            return Uni.createFrom().item(Response.notModified().header(HttpHeaders.ETAG, tag.toString()).build());
        }
        return cards.get().onItem().ifNotNull().transform(found -> {
            byte[] html = HtmlPages.render(list.results(view, found, noMatch));
            String links = view.links().headerOfPage();
            pages.put(context, new PageCache.Answer(result.listing(), result.links(), tag, links, MediaTypes.HTML,
                    html));
            return tag.respond(context, html, MediaTypes.HTML).header(HttpHeaders.LINK, links).build();
        });
    }

    private static Response refuse(int status, ListPage page) {
        return Response.status(status).entity(HtmlPages.render(page)).type(MediaTypes.HTML).build();
    }
}
