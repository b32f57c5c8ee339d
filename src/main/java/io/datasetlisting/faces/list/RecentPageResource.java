package io.datasetlisting.faces.list;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.cache.PageCache;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.catalogue.query.LastDay;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.faces.card.Card;
import io.datasetlisting.faces.view.Chip;
import io.datasetlisting.faces.view.Chips;
import io.datasetlisting.faces.view.ListTexts;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.write.change.RecentChangeRepository;
import io.datasetlisting.write.change.RecentChanges;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers the newest changes as a page for people, and as an Atom feed for aggregators. */
@Path(Endpoints.PAGES + Endpoints.CHANGES)
public class RecentPageResource {

    private static final String PATH = Endpoints.PAGES + Endpoints.CHANGES;

    private final RecentChangeRepository repository;
    private final DatasetFields fields;
    private final FieldSelection shown;
    private final PageCache pages;
    private final PageConfig config;
    private final PublicUrl publicUrl;

    RecentPageResource(RecentChangeRepository repository, DatasetFields fields, PageCache pages, PageConfig config,
            PublicUrl publicUrl) {
        this.repository = repository;
        this.fields = fields;
        this.pages = pages;
        this.config = config;
        this.publicUrl = publicUrl;
        shown = fields.onCards();
    }

    /** What a writer of a representation needs. */
    private record View(RecentChanges changes, QueryString filters, String service, Language language) {

        /**
         * The address of the feed.
         *
         * @param path
         *            the address without its query, relative or absolute
         */
        String atom(String path) {
            return filters.with("format", "atom").appendTo(path);
        }

        /** The filters in words, empty without filters. */
        String inWords() {
            List<Chip> chips = Chips.of(filters, language, Map.of());
            return chips.isEmpty() ? "" : ListTexts.title(chips, null, language);
        }
    }

    @GET
    @Produces(MediaTypes.HTML)
    public Uni<Response> page(@Context RoutingContext context) {
        return answer(context, MediaTypes.HTML, view -> HtmlPages.render(page(view), view.language));
    }

    @GET
    @Produces(MediaTypes.ATOM)
    public Uni<Response> feed(@Context RoutingContext context) {
        return answer(context, MediaTypes.ATOM, view -> new AtomFeed(view.language, config.title(), view.inWords(),
                view.atom(view.service + PATH), view.filters.appendTo(view.service + PATH), view.service)
                .write(view.changes));
    }

    private Uni<Response> answer(RoutingContext context, String mediaType, Function<View, byte[]> writer) {
        QueryString filters = Chips
                .filters(Chips.meaningful(QueryString.parse(context.request().query()).withoutBlank()));
        Caller caller = Caller.of(context);
        return repository.read(Filter.parse(LastDay.toMoment(filters), fields, caller), shown, caller).map(changes -> {
            byte[] body = writer.apply(
                    new View(changes, filters, publicUrl.of("", context.request()), Language.of(context)));
            return pages.respond(context, changes.listing(), body, mediaType);
        });
    }

    private RecentPage page(View view) {
        Words words = Words.in(view.language);
        String root = PublicUrl.root(PATH);
        return new RecentPage(
                HtmlPages.Layout.of(config, words.of("msg:changes"), words.of("msg:description"), root,
                        view.filters.appendTo(view.service + PATH)),
                words.of("msg:changes"),
                ListTexts.title(Chips.of(view.filters, view.language, Map.of()), null, view.language),
                view.filters.appendTo("../"), view.atom("./"),
                view.changes.entries().stream().map(RecentPageResource::change).toList());
    }

    private static RecentPage.Change change(RecentChanges.Entry entry) {
        String time = entry.time().toString();
        return new RecentPage.Change(entry.id(), time, Card.moment(time),
                entry.dataset() != null && entry.dataset().isNew(),
                entry.dataset() == null ? null : Card.of(entry.dataset().dataset(), key -> null));
    }
}
