package io.datasetlisting.web;

import java.util.ArrayList;
import java.util.List;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import io.datasetlisting.cql2.Expression;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.item.StacSearch;
import io.datasetlisting.listing.ListingQuery;
import io.datasetlisting.listing.ListingResult;
import io.datasetlisting.paging.ListRequest;
import io.datasetlisting.paging.PageLinks;

/** Makes the pages of the list of datasets. */
@Singleton
class ListPages {

    static final String ROOT = "../";
    private static final String DESCRIPTION = "Datasets of drone and aerial imagery";

    private final PageConfig config;
    private final DatasetFields fields;
    private final Orders orders;
    private final ProgramLinks programs;
    private final String frame;
    /** The form of views without parameters. Its many choices take a third of the time of a page. */
    private volatile String unfilledForm;

    ListPages(PageConfig config, DatasetFields fields, Orders orders, ProgramLinks programs,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.config = config;
        this.fields = fields;
        this.orders = orders;
        this.programs = programs;
        frame = HtmlPages.frame(config, version, "layout", "ListPage", "FormView", "CardView", "programs");
    }

    /**
     * A page that was read.
     *
     * @param service
     *            public address of the service, without a slash at its end
     */
    record View(ListingQuery query, ListingResult result, String service) {

        ListRequest request() {
            return query.request();
        }

        PageLinks links() {
            return PageLinks.of(request(), service + Endpoints.PAGES, result.count());
        }

        long lastPage() {
            return PageLinks.lastPage(result.count(), request().pageSize());
        }
    }

    /** The ETag of a page, which follows from its address, its datasets and the frame around the datasets. */
    EntityTag tag(ListingResult result) {
        return new EntityTag(Revision.hash(result.revisions(), result.count()), result.links() + frame);
    }

    /**
     * A page of a result.
     *
     * @param cards
     *            the datasets of the page as HTML
     */
    ListPage results(View view, List<String> cards) {
        ListRequest request = view.request();
        PageLinks links = view.links();
        long last = view.lastPage();
        long number = request.page() == ListRequest.LAST_PAGE ? last : request.page();
        long first = (number - 1) * request.pageSize() + 1;
        StacSearch search = StacSearch.of(view.query, fields);
        return new ListPage(layout(request, number, view.service), form(request), null,
                new ListPage.Results(view.result.count(), first, first + cards.size() - 1,
                        !view.query.filter().equals(Expression.ALL), orders.links(request),
                        Cards.inList(cards, request.query()),
                        new ListPage.Pager(number, last, relative(links.first()), relative(links.previous()),
                                relative(links.next()), relative(links.last()), parameters(request.query())),
                        programs.formats(view.query, search, ROOT),
                        programs.commands(view.query, search, view.service), map(request.query())));
    }

    /** The page of a page number behind the last page. */
    ListPage noSuchPage(View view) {
        return refusal(view.request(), List.of("There is no page " + view.request().page() + ". The last page is "
                + view.lastPage() + "."), relative(view.links().last()), view.service);
    }

    /** The page of filters that are wrong. It has no results, so that they are not taken for the results of the filters. */
    ListPage wrongFilters(ListRequest request, List<String> messages, String service) {
        return refusal(request, messages, null, service);
    }

    private ListPage refusal(ListRequest request, List<String> sentences, String lastHref, String service) {
        return new ListPage(layout(request, 1, service), form(request), new ListPage.Refusal(sentences, lastHref),
                null);
    }

    private HtmlPages.Layout layout(ListRequest request, long number, String service) {
        QueryString query = request.query().without("p");
        if (number > 1) {
            query = query.with("p", Long.toString(number));
        }
        return HtmlPages.Layout.titled(config, (number > 1 ? "Page " + number + ", " : "") + config.title(),
                DESCRIPTION,
                ROOT, query.appendTo(service + Endpoints.PAGES));
    }

    private String form(ListRequest request) {
        boolean isFilled = !request.query().without("p").isEmpty();
        String html = isFilled || unfilledForm == null
                ? new FormView(FilterForm.of(request, orders.items(request))).html()
                : unfilledForm;
        if (!isFilled) {
            unfilledForm = html;
        }
        return html;
    }

    private ListPage.MapView map(QueryString query) {
        QueryString filters = query.without("p", "page_size", "ordering", "in_bbox");
        return new ListPage.MapView(filters.appendTo(Endpoints.GRID));
    }

    private static List<ListPage.Parameter> parameters(QueryString query) {
        List<ListPage.Parameter> parameters = new ArrayList<>();
        query.without("p").forEach((name, value) -> parameters.add(new ListPage.Parameter(name, value)));
        return parameters;
    }

    /** The service may stand behind a path prefix. */
    private static String relative(String link) {
        return link == null ? null : link.substring(link.indexOf('?'));
    }
}
