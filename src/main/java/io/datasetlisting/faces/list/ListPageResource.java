package io.datasetlisting.faces.list;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.cache.PageCache;
import io.datasetlisting.catalogue.facet.FacetRepository;
import io.datasetlisting.catalogue.listing.ListingQuery;
import io.datasetlisting.catalogue.listing.ListingResult;
import io.datasetlisting.catalogue.query.LastDay;
import io.datasetlisting.catalogue.search.WorkspaceTextRepository;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.faces.card.Cards;
import io.datasetlisting.faces.view.Chips;
import io.datasetlisting.faces.view.FilterForm;
import io.datasetlisting.faces.view.Orders;
import io.datasetlisting.faces.view.Reader;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.Representation;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.PagingConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers the list of datasets as a page for people. */
@Path(Endpoints.PAGES)
@Produces(MediaTypes.HTML)
public class ListPageResource {

    private final FacetRepository repository;
    private final ListPages list;
    private final Cards cards;
    private final DidYouMean didYouMean;
    private final PageCache pages;
    private final PagingConfig paging;
    private final PublicUrl publicUrl;
    private final DatasetFields fields;
    private final WorkspaceTextRepository texts;
    private final FieldSelection shown;

    ListPageResource(FacetRepository repository, ListPages list, Cards cards, DidYouMean didYouMean, PageCache pages,
            PagingConfig paging, PublicUrl publicUrl, DatasetFields fields, WorkspaceTextRepository texts) {
        this.repository = repository;
        this.list = list;
        this.cards = cards;
        this.didYouMean = didYouMean;
        this.pages = pages;
        this.paging = paging;
        this.publicUrl = publicUrl;
        this.fields = fields;
        this.texts = texts;
        shown = fields.onCards();
    }

    @GET
    public Uni<Response> list(@Context RoutingContext context) {
        QueryString sent = QueryString.parse(context.request().query());
        // These parameters of the API mean nothing on a page.
        QueryString filters = sent.withoutBlank().without("fields", "format", "page");
        QueryString asked = FilterForm.withPoints(filters);
        String service = publicUrl.of("", context.request());
        // A form without scripts sends its empty fields, too. They would stay in the address that people share. An address with a
        // decimal comma would be wrong in the API, to which the page has links with the same filters.
        if (!asked.toString().equals(filters.toString())
                || FilterForm.NAMES.stream().anyMatch(name -> sent.getAll(name).stream().anyMatch(String::isBlank))) {
            return Uni.createFrom().item(redirect(asked, service));
        }
        QueryString page = Orders.withDefault(Chips.meaningful(asked));
        Caller caller = Caller.of(context);
        ListingQuery query;
        try {
            query = ListingQuery.parse(LastDay.toMoment(page), paging, fields, caller).showing(shown);
        } catch (ApiException e) {
            if (Representation.of(context).problem()) {
                throw e;
            }
            return Uni.createFrom().item(refuse(page, e, service, Reader.of(context)));
        }
        Reader reader = Reader.of(context);
        Language language = reader.language();
        return repository.list(query, fields.none(), caller)
                .chain(read -> view(query, read, service, reader))
                .chain(view -> respond(context, view, () -> cards.find(view.result(), caller, language)))
                // A dataset has changed since its revision was read. One snapshot has the page with its datasets.
                .onItem().ifNull().switchTo(() -> repository.list(query, shown, caller)
                        .chain(read -> view(query, read, service, reader))
                        .chain(view -> respond(context, view,
                                () -> Uni.createFrom().item(cards.of(view.result(), language)))));
    }

    private static Response redirect(QueryString view, String service) {
        return Response.status(Response.Status.FOUND).location(URI.create(view.appendTo(service + Endpoints.PAGES)))
                .build();
    }

    /** A page with the names of the workspaces of its filter, which are read behind it, so that they are not older. */
    private Uni<ListPages.View> view(ListingQuery query, FacetRepository.CountedPage read, String service,
            Reader reader) {
        List<String> numbers = Chips.values(query.request().query(), Chips.WORKSPACE);
        return (numbers.isEmpty()
                ? Uni.createFrom().item(Map.<Long, WorkspaceTextRepository.Text>of())
                : texts.read(reader.caller())).map(all -> {
                    Map<String, String> names = new TreeMap<>();
                    for (String number : numbers) {
                        String name = all.getOrDefault(Long.valueOf(number), WorkspaceTextRepository.Text.NONE).name();
                        if (name != null) {
                            names.put(number, name);
                        }
                    }
                    return new ListPages.View(query, read, service, reader, names);
                });
    }

    /** Null without cards. */
    private Uni<Response> respond(RoutingContext context, ListPages.View view, Supplier<Uni<List<String>>> cards) {
        ListingResult result = view.result();
        if (result.revisions().isEmpty() && view.request().page() > 1) {
            if (Representation.of(context).problem()) {
                throw ListRequest.invalidPage();
            }
            return Uni.createFrom().item(refuse(404, list.noSuchPage(view), view.reader().language()));
        }
        QueryString query = Orders.withoutDefault(view.request().query());
        QueryString place = didYouMean.place(result, query);
        if (place != null) {
            return Uni.createFrom().item(redirect(place, view.service()));
        }
        return areTextsFound(context, view).chain(areFound -> areFound
                ? Uni.createFrom().item(redirect(ListPages.texts(query), view.service()))
                : respondWithHints(context, view, query, cards));
    }

    /** Whether the texts of owners have what no name has. */
    private Uni<Boolean> areTextsFound(RoutingContext context, ListPages.View view) {
        QueryString query = view.request().query();
        if (view.result().count() > 0 || query.get("search") == null || query.get(Chips.TEXTS) != null) {
            return Uni.createFrom().item(false);
        }
        Caller caller = Caller.of(context);
        return Uni.createFrom().deferred(() -> repository
                .list(ListingQuery.parse(LastDay.toMoment(ListPages.texts(query)), paging, fields, caller)
                        .showing(shown),
                        fields.none(), caller))
                .map(read -> read.page().count() > 0)
                // The page without a match is of use, too, also for a text with more commas than terms may have.
                .onFailure().recoverWithItem(false);
    }

    private Uni<Response> respondWithHints(RoutingContext context, ListPages.View view, QueryString query,
            Supplier<Uni<List<String>>> cards) {
        return didYouMean
                .html(view.result(), query, Caller.of(context),
                        view.reader().language())
                .chain(html -> respond(context, view, html, cards));
    }

    private Uni<Response> respond(RoutingContext context, ListPages.View view, String found,
            Supplier<Uni<List<String>>> cards) {
        ListingResult result = view.result();
        String noMatch = found == null ? "" : found;
        EntityTag tag = DidYouMean.tag(list.tag(view), noMatch);
        // The page is not rendered for a client that knows it.
        if (tag.isKnownTo(context)) {
            return Uni.createFrom().item(EntityTag.notModified(tag.toString()));
        }
        return cards.get().onItem().ifNotNull().transform(all -> {
            byte[] html = HtmlPages.render(list.results(view, all, noMatch), view.reader().language());
            String links = view.links().headerOfPage();
            if (found != null) {
                pages.put(context,
                        new PageCache.Answer(result.listing(), result.links(), tag, links, MediaTypes.HTML, html));
            }
            return tag.respond(context, html, MediaTypes.HTML).header(HttpHeaders.LINK, links).build();
        });
    }

    /** The page of a number that is no number of a page, or of filters that are wrong. */
    private Response refuse(QueryString page, ApiException error, String service, Reader reader) {
        boolean isNoNumber = error.status() == 404;
        ListRequest request = ListRequest.parse(isNoNumber ? page.without("p") : page, paging, fields.sortable());
        return refuse(error.status(), list.refused(request, switch (error.status()) {
            case 404 -> new ListPage.Refusal(List.of(), page.get("p"), null,
                    Chips.href(Orders.withoutDefault(request.query())));
            case 401 -> ListPage.Refusal.SIGN_IN;
            default -> ListPage.Refusal.of(error.fields());
        }, service, reader), reader.language());
    }

    private static Response refuse(int status, ListPage page, Language language) {
        return Response.status(status).entity(HtmlPages.render(page, language)).type(MediaTypes.HTML).build();
    }
}
