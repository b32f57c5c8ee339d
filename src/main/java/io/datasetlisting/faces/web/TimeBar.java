package io.datasetlisting.faces.web;

import java.nio.charset.StandardCharsets;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.Sha256;
import io.datasetlisting.catalogue.facet.FacetRepository;
import io.datasetlisting.catalogue.facet.Timeline;
import io.datasetlisting.catalogue.listing.ListingQuery;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.catalogue.query.LastDay;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.mutiny.Uni;

/** Draws the time bar of a view: when the datasets of its filters were captured, without the filter of the time itself. */
@Singleton
class TimeBar {

    static final String FIRST_DAY = "captured_after";
    /** Each bar repeats the filters of the view in its link. */
    private static final int LONGEST_QUERY = 1000;

    private final FacetRepository repository;
    private final DatasetFields fields;

    TimeBar(FacetRepository repository, DatasetFields fields) {
        this.repository = repository;
        this.fields = fields;
    }

    /**
     * A time bar.
     *
     * @param listing
     *            the listing version of its snapshot
     * @param html
     *            empty if there is nothing to choose
     */
    record Drawn(long listing, String html) {

        /** The bar that a view does not have. */
        static final Drawn NONE = new Drawn(Long.MAX_VALUE, "");

        /** Its part of the tag of the page. */
        String tag() {
            return html.isEmpty()
                    ? ""
                    : "-" + Long.toUnsignedString(Sha256.number(html.getBytes(StandardCharsets.UTF_8)),
                            Character.MAX_RADIX);
        }
    }

    Uni<Drawn> draw(ListingQuery query, Caller caller, Language language) {
        QueryString others = Orders.withoutDefault(query.request().query()).without("p", FIRST_DAY, LastDay.PARAMETER,
                LastDay.MOMENT);
        if (others.toString().length() > LONGEST_QUERY) {
            return Uni.createFrom().item(Drawn.NONE);
        }
        return repository.timeline(Filter.parse(others, fields, caller), caller).map(timeline -> timeline == null
                ? Drawn.NONE
                : new Drawn(timeline.listing(),
                        html(timeline, others, TimeDrawing.Range.of(query.request().query()), language)));
    }

    private static String html(Timeline timeline, QueryString others, TimeDrawing.Range chosen,
            Language language) {
        return timeline.bars().stream().filter(bar -> bar.count() > 0).count() < 2
                ? ""
                : new TimeDrawing(timeline, others, chosen, language).view().html(language);
    }
}
