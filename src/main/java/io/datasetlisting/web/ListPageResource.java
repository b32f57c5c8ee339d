package io.datasetlisting.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.account.Caller;
import io.datasetlisting.cache.PageCache;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetJson;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.listing.ListingQuery;
import io.datasetlisting.listing.ListingRepository;
import io.datasetlisting.listing.ListingResult;
import io.datasetlisting.paging.ListRequest;
import io.datasetlisting.paging.PageLinks;
import io.datasetlisting.paging.PagingConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers the list of datasets as a page for people. */
@Path(Endpoints.PAGES)
@Produces(MediaTypes.HTML)
public class ListPageResource {

    private final ListingRepository repository;
    private final PageCache pages;
    private final PagingConfig paging;
    private final PageConfig config;
    private final PublicUrl publicUrl;
    private final DatasetFields fields;
    private final FieldSelection shown;

    ListPageResource(ListingRepository repository, PageCache pages, PagingConfig paging,
            PageConfig config,
            PublicUrl publicUrl, DatasetFields fields) {
        this.repository = repository;
        this.pages = pages;
        this.paging = paging;
        this.config = config;
        this.publicUrl = publicUrl;
        this.fields = fields;
        shown = fields.select(Set.copyOf(Card.FIELDS));
    }

    @GET
    public Uni<Response> list(@Context RoutingContext context) {
        QueryString asked = QueryString.parse(context.request().query());
        ListingQuery query = ListingQuery.parse(asked, paging, fields).showing(shown);
        String url = publicUrl.of(Endpoints.PAGES, context.request());
        return repository.list(query, Caller.of(context)).map(result -> {
            if (result.revisions().isEmpty() && query.request().page() > 1) {
                throw ListRequest.invalidPage();
            }
            PageLinks links = PageLinks.of(query.request(), url, result.count());
            byte[] html = HtmlPages.render(page(asked, query, result, links));
            EntityTag tag = EntityTag.ofContent(html);
            pages.put(context, new PageCache.Answer(result.listing(), result.links(), tag, links.header(),
                    MediaTypes.HTML, html));
            return HtmlPages.answer(context, html, tag).header(HttpHeaders.LINK, links.header()).build();
        });
    }

    private ListPage page(QueryString asked, ListingQuery query, ListingResult result, PageLinks links) {
        long last = Math.max(1, (result.count() + query.request().pageSize() - 1) / query.request().pageSize());
        long number = query.request().page() == ListRequest.LAST_PAGE ? last : query.request().page();
        Layout layout = new Layout(config.title(), config.title(), "Datasets of drone and aerial imagery", "../",
                links.self());
        List<ListPage.Parameter> others = new ArrayList<>();
        asked.without("p").forEach((name, value) -> others.add(new ListPage.Parameter(name, value)));
        return new ListPage(layout, FilterForm.of(asked), List.of(), result.count(),
                (number - 1) * query.request().pageSize() + 1, result.datasets().stream().map(Card::of).toList(),
                new ListPage.Pager(number, last, relative(links.first()), relative(links.previous()),
                        relative(links.next()), relative(links.last()), others),
                List.of(), List.of(), new ListPage.MapView("grid/?" + asked.without("p").without("in_bbox"),
                        config.tiles().orElse(null), config.tilesAttribution().orElse("")));
    }

    private static String relative(String link) {
        return link == null ? null : link.substring(link.indexOf('?'));
    }

    /** The platform omits Content-Length when it writes no body. */
    @HEAD
    public Uni<Response> head(@Context RoutingContext context) {
        return list(context).map(DatasetJson::withoutBody);
    }
}
