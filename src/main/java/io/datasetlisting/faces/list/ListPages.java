package io.datasetlisting.faces.list;

import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;

import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import io.datasetlisting.catalogue.facet.Facet;
import io.datasetlisting.catalogue.facet.FacetRepository;
import io.datasetlisting.catalogue.facet.Facets;
import io.datasetlisting.catalogue.facet.Facets.Choice;
import io.datasetlisting.catalogue.listing.ListingQuery;
import io.datasetlisting.catalogue.listing.ListingResult;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.faces.card.Cards;
import io.datasetlisting.faces.ground.GroundFiles;
import io.datasetlisting.faces.item.StacSearch;
import io.datasetlisting.faces.view.Chip;
import io.datasetlisting.faces.view.Chips;
import io.datasetlisting.faces.view.FacetGroups;
import io.datasetlisting.faces.view.FilterForm;
import io.datasetlisting.faces.view.ListTexts;
import io.datasetlisting.faces.view.Orders;
import io.datasetlisting.faces.view.ProgramLinks;
import io.datasetlisting.faces.view.Reader;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.PageLinks;

/** Makes the pages of the list of datasets. */
@Singleton
class ListPages {

    private static final String ROOT = PublicUrl.root(Endpoints.PAGES);
    private static final String GALLERY = "gallery";

    private static final int LONGEST_IN_LINKS = 300;

    private final PageConfig config;
    private final DatasetFields fields;
    private final Orders orders;
    private final ProgramLinks programs;
    private final String frame;

    ListPages(PageConfig config, DatasetFields fields, Orders orders, ProgramLinks programs,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.config = config;
        this.fields = fields;
        this.orders = orders;
        this.programs = programs;
        frame = HtmlPages.frame(config, version, "layout.html", "ListPage.html", "filterForm.html", "filterPanel.html",
                "CardView.html", "smallMap.html", "field.html", "fieldLabel.html", "fieldError.html", "option.html",
                "programs.html",
                "DidYouMeanPart.html", "Chip/Label.txt", "Chip/Phrase.txt", "ListTexts/Title.txt",
                "ListTexts/Summary.txt") + programs.form();
    }

    /**
     * A page that was read.
     *
     * @param service
     *            public address of the service, without a slash at its end
     * @param workspaces
     *            the names of the workspaces of its filter that have one, by number
     */
    record View(ListingQuery query, FacetRepository.CountedPage read, String service, Reader reader,
            Map<String, String> workspaces) {

        ListingResult result() {
            return read.page();
        }

        /** Null if nothing is counted. */
        Facets facets() {
            return read.facets();
        }

        ListRequest request() {
            return query.request();
        }

        PageLinks links() {
            return PageLinks.of(request(), service + Endpoints.PAGES, result().count());
        }

        long lastPage() {
            return PageLinks.lastPage(result().count(), request().pageSize());
        }
    }

    /** The ETag of a page, which follows from its address, its datasets, the counts and the frame around them. */
    EntityTag tag(View view) {
        ListingResult result = view.result();
        String counts = view.facets() == null ? "" : Long.toString(view.facets().hash(), Character.MAX_RADIX) + "-";
        return new EntityTag(Revision.hash(result.revisions(), result.count()), counts + result.links()
                + (view.workspaces.isEmpty() ? "" : "-" + Integer.toHexString(view.workspaces.hashCode()))
                + (view.reader.isSignedIn() ? "-own" : "") + HtmlPages.form(view.reader.language()) + frame);
    }

    /**
     * A page of a result.
     *
     * @param cards
     *            the datasets of the page as HTML
     * @param didYouMean
     *            see {@link DidYouMean#html}
     */
    ListPage results(View view, List<String> cards, String didYouMean) {
        long last = view.lastPage();
        long number = view.request().page() == ListRequest.LAST_PAGE ? last : view.request().page();
        Frame page = new Frame(view.request(), number, view.service, view.result().count(), view.facets(), Set.of(),
                view.reader, view.workspaces);
        return page(page, map(view, last), null, results(view, cards, didYouMean, number, last));
    }

    private ListPage.Results results(View view, List<String> cards, String didYouMean, long number,
            long last) {
        ListRequest request = view.request();
        long count = view.result().count();
        long first = (number - 1) * request.pageSize() + 1;
        PageLinks links = view.links();
        StacSearch search = StacSearch.of(view.query, fields);
        return new ListPage.Results(count, first, first + cards.size() - 1,
                ListTexts.summary(view.facets(), view.reader.language()),
                count == 0
                        ? null
                        : view.service + Endpoints.DATASETS + view.result().revisions().get(0).id() + "/thumbnail/",
                count > 1 ? orders.links(request, view.reader.language()) : List.of(),
                Cards.inList(cards, Orders.withoutDefault(request.query())),
                last == 1
                        ? null
                        : new ListPage.Pager(number, last, relative(links.first()), relative(links.previous()),
                                relative(links.next()), relative(links.last()), parameters(request.query())),
                count == 0
                        ? null
                        : new ListPage.Programs(programs.formats(view.query, search, ROOT, view.reader.language()),
                                programs.commands(view.query, search, view.service, view.reader.language())),
                didYouMean, subscription(request.query(), view.service, count == 0),
                shapes(request.query()));
    }

    /** The view of a search that finds the texts of owners, too. */
    static QueryString texts(QueryString query) {
        return query.without("p", "search").with(Chips.TEXTS, query.get("search"));
    }

    private static ListPage.Subscription subscription(QueryString query, String service, boolean isEmpty) {
        QueryString filters = Chips.filters(query);
        String search = query.get("search");
        String atom = filters.with("format", "atom").appendTo(Endpoints.CHANGES);
        return new ListPage.Subscription(atom, service + Endpoints.PAGES + atom, filters.appendTo(Endpoints.CHANGES),
                search == null || isEmpty ? null : Chips.href(texts(Orders.withoutDefault(query))),
                search);
    }

    /** The page of a page number behind the last page. */
    ListPage noSuchPage(View view) {
        String number = Long.toString(view.request().page());
        return page(
                new Frame(view.request(), 1, view.service, view.result().count(), view.facets(), Set.of(), view.reader,
                        view.workspaces),
                new ListPage.Refusal(List.of(), number, view.lastPage(), relative(view.links().last())));
    }

    /** The page of a query that was not read. It has no results, so that they are not taken for the results of the filters. */
    ListPage refused(ListRequest request, ListPage.Refusal refusal, String service, Reader reader) {
        return page(new Frame(request, 1, service, null, null, Set.copyOf(refusal.wrong()), reader, Map.of()), refusal);
    }

    /**
     * What a page has besides its datasets.
     *
     * @param count
     *            the datasets that match; null if that is not known
     * @param facets
     *            null if nothing is counted
     * @param wrong
     *            the names of the filters that cannot be used
     */
    private record Frame(ListRequest request, long number, String service, Long count, Facets facets, Set<String> wrong,
            Reader reader, Map<String, String> workspaces) {

        Language language() {
            return reader.language();
        }
    }

    private ListPage page(Frame frame, ListPage.Refusal refusal) {
        return page(frame, new ListPage.MapView("", false, GroundFiles.OF_THE_WORLD, null), refusal, null);
    }

    private ListPage page(Frame frame, ListPage.MapView map, ListPage.Refusal refusal, ListPage.Results results) {
        QueryString typed = Orders.withoutDefault(frame.request.query().without("p"));
        QueryString query = linked(typed, frame.wrong);
        ListRequest request = new ListRequest(typed, 1, frame.request.pageSize(), frame.request.ordering());
        List<Chip> chips = Chips.of(query, frame.language(), frame.workspaces);
        String heading = ListTexts.title(chips, chips.isEmpty() ? null : frame.count, frame.language());
        return new ListPage(layout(frame, query, chips.isEmpty() ? config.title() : heading + " · " + config.title()),
                heading, FilterForm.of(request, frame.wrong), FacetGroups.of(query, frame.facets, frame.reader),
                frame.count, chips,
                Chips.href(Chips.clear(query)), map, refusal, results);
    }

    /** The query of the links: a long value that is refused stands in its field, and would make each link as long. */
    private static QueryString linked(QueryString typed, Set<String> wrong) {
        int length = typed.appendTo("").length();
        return typed.without(wrong.stream()
                .filter(name -> length - typed.without(name).appendTo("").length() > LONGEST_IN_LINKS)
                .toArray(String[]::new));
    }

    private HtmlPages.Layout layout(Frame frame, QueryString query, String title) {
        boolean isFirst = frame.number == 1;
        QueryString datasets = query.without(Chips.VIEW);
        QueryString page = isFirst ? datasets : datasets.with("p", Long.toString(frame.number));
        Words words = Words.in(frame.language());
        return HtmlPages.Layout.titled(config, isFirst ? title : words.of("msg:title_of_page", frame.number, title),
                words.of("msg:description"), ROOT, page.appendTo(frame.service + Endpoints.PAGES));
    }

    /** The same view as a list, and as a gallery. */
    private static ListPage.Shapes shapes(QueryString query) {
        QueryString view = Orders.withoutDefault(query);
        return new ListPage.Shapes(GALLERY.equals(query.get(Chips.VIEW)), Chips.href(view.without(Chips.VIEW)),
                Chips.href(view.with(Chips.VIEW, GALLERY)));
    }

    private ListPage.MapView map(View view, long last) {
        QueryString query = view.request().query();
        return new ListPage.MapView(Chips.filters(query).without("in_bbox").appendTo(Endpoints.GRID),
                last > 1 && query.get("in_bbox") == null && query.get(Chips.DRAWN) == null,
                GroundFiles.of(Filter.boxOf(view.query().filter())), histogram(query, view.facets()));
    }

    /**
     * Of days if the datasets are of few years, so that the answer is short. Null if there is nothing to choose: the map then has
     * the space of the time bar from the start.
     */
    private static String histogram(QueryString query, Facets facets) {
        if (facets == null || facets.days() < 2) {
            return null;
        }
        List<Choice> years = facets.choices().get(Facet.YEAR);
        IntSummaryStatistics range = years.stream().mapToInt(year -> Integer.parseInt(year.value()))
                .summaryStatistics();
        return Chips.filters(query).without(Chips.TIMES)
                .with("interval", range.getMax() - range.getMin() < 2 ? "day" : "month")
                .appendTo(ROOT + Endpoints.DATASETS.substring(1) + Endpoints.HISTOGRAM);
    }

    private static List<FilterForm.Parameter> parameters(QueryString query) {
        List<FilterForm.Parameter> parameters = new ArrayList<>();
        query.without("p").forEach((name, value) -> parameters.add(new FilterForm.Parameter(name, value)));
        return parameters;
    }

    /** The service may stand behind a path prefix. */
    private static String relative(String link) {
        return link == null ? null : link.substring(link.indexOf('?'));
    }
}
