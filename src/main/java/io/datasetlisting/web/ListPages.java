package io.datasetlisting.web;

import java.util.ArrayList;
import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.input.QueryString;
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

    ListPages(PageConfig config, DatasetFields fields, Orders orders, ProgramLinks programs) {
        this.config = config;
        this.fields = fields;
        this.orders = orders;
        this.programs = programs;
    }

    /**
     * A page of a result.
     *
     * @param cards
     *            the datasets of the page as HTML
     * @param service
     *            public address of the service, without a slash at its end
     */
    ListPage results(ListingQuery query, ListingResult result, List<String> cards, PageLinks links, String service) {
        ListRequest request = query.request();
        long last = PageLinks.lastPage(result.count(), request.pageSize());
        long number = request.page() == ListRequest.LAST_PAGE ? last : request.page();
        long first = (number - 1) * request.pageSize() + 1;
        StacSearch search = StacSearch.of(query, fields);
        return new ListPage(layout(request, number, service), form(request), null,
                new ListPage.Results(result.count(), first, first + cards.size() - 1,
                        !query.filter().isEmpty(), orders.links(request),
                        cards,
                        new ListPage.Pager(number, last, relative(links.first()), relative(links.previous()),
                                relative(links.next()), relative(links.last()), parameters(request.query())),
                        programs.formats(query, search, ROOT), programs.commands(query, search, service),
                        map(request.query())));
    }

    /** The page of a page number behind the last page. */
    ListPage noSuchPage(ListRequest request, long count, PageLinks links, String service) {
        return refusal(request, List.of("There is no page " + request.page() + ". The last page is "
                + PageLinks.lastPage(count, request.pageSize()) + "."), relative(links.last()), service);
    }

    /**
     * The page of filters that are wrong. It has no results, so that they are not taken for the results of the filters.
     *
     * @param reason
     *            the messages of each parameter
     */
    ListPage wrongFilters(ListRequest request, ObjectNode reason, String service) {
        List<String> sentences = new ArrayList<>();
        reason.properties().forEach(parameter -> {
            for (JsonNode message : parameter.getValue()) {
                sentences.add(parameter.getKey() + ": " + message.asText());
            }
        });
        return refusal(request, sentences, null, service);
    }

    private ListPage refusal(ListRequest request, List<String> sentences, String lastHref, String service) {
        return new ListPage(layout(request, 1, service), form(request), new ListPage.Refusal(sentences, lastHref),
                null);
    }

    private Layout layout(ListRequest request, long number, String service) {
        QueryString query = request.query().without("p");
        if (number > 1) {
            query = query.with("p", Long.toString(number));
        }
        return new Layout(config.title(), (number > 1 ? "Page " + number + ", " : "") + config.title(), DESCRIPTION,
                ROOT,
                service + Endpoints.PAGES + (query.isEmpty() ? "" : "?" + query));
    }

    private FilterForm form(ListRequest request) {
        return FilterForm.of(request, orders.items(request));
    }

    private ListPage.MapView map(QueryString query) {
        QueryString filters = query.without("p").without("page_size").without("ordering").without("in_bbox");
        return new ListPage.MapView(Endpoints.GRID + (filters.isEmpty() ? "" : "?" + filters),
                BaseMap.of(config));
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
