package io.datasetlisting.faces.list;

import java.nio.charset.StandardCharsets;
import java.util.List;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.Sha256;
import io.datasetlisting.catalogue.listing.ListingResult;
import io.datasetlisting.catalogue.suggest.Suggestion;
import io.datasetlisting.catalogue.suggest.Suggestions;
import io.datasetlisting.faces.view.Chips;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.mutiny.Uni;

/** Makes links to what a search may have meant, above all one without a match. */
@Singleton
class DidYouMean {

    private static final String SEARCH = "search";

    private final Suggestions suggestions;

    DidYouMean(Suggestions suggestions) {
        this.suggestions = suggestions;
    }

    /**
     * The view of the place that a search without a match names, in place of the search.
     *
     * @return null if datasets match, or no place has this name
     */
    QueryString place(ListingResult result, QueryString query) {
        return result.count() > 0 || query.get(SEARCH) == null
                ? null
                : suggestions.place(query.get(SEARCH)).map(place -> view(query.without("p", SEARCH), place))
                        .orElse(null);
    }

    /** The links as HTML; empty if there are none, null if there was no time for them. */
    Uni<String> html(ListingResult result, QueryString query, Caller caller, Language language) {
        String typed = query.get(SEARCH);
        if (typed == null || typed.isBlank()) {
            return Uni.createFrom().item(result.count() > 0 ? "" : namesakes(query, language));
        }
        QueryString others = query.without("p", SEARCH);
        if (result.count() > 0) {
            return Uni.createFrom().item(suggestions.place(typed)
                    .map(place -> html(typed, links(List.of(place), others), language)).orElse(""));
        }
        return suggestions.correct(typed, others.without("page_size", "ordering"), caller)
                .map(found -> HtmlPages.text(new DidYouMeanPart(typed, links(found.similar(), others),
                        links(found.containing(), others), links(found.frequent(), others),
                        links(found.areas(), others)), language))
                // The list is of use without them.
                .onFailure().recoverWithNull();
    }

    /** Other places with the name of one without datasets. */
    private String namesakes(QueryString query, Language language) {
        String place = Chips.place(query);
        List<Suggestion> areas = place == null
                ? List.of()
                : suggestions.areas(place).stream().filter(each -> !each.value().equals(query.get("in_bbox"))).toList();
        return areas.isEmpty() ? "" : html(place, links(areas, query.without("p")), language);
    }

    private static String html(String typed, List<DidYouMeanPart.Link> areas, Language language) {
        return HtmlPages.text(new DidYouMeanPart(typed, List.of(), List.of(), List.of(), areas), language);
    }

    private static QueryString view(QueryString others, Suggestion chosen) {
        boolean isArea = chosen.parameter().equals("in_bbox");
        QueryString view = (isArea ? others.without(chosen.parameter(), Chips.PLACE) : others)
                .without(chosen.parameter()).with(chosen.parameter(), chosen.value());
        return chosen.kind() == Suggestion.Kind.PLACE ? view.with(Chips.PLACE, chosen.text()) : view;
    }

    private static List<DidYouMeanPart.Link> links(List<Suggestion> found, QueryString others) {
        return found.stream().map(each -> new DidYouMeanPart.Link(view(others, each).appendTo("./"), each.text(),
                each.detail(), each.count())).toList();
    }

    /** The tag of a page with this HTML. */
    static EntityTag tag(EntityTag page, String html) {
        return html.isEmpty()
                ? page
                : new EntityTag(page.version() ^ Sha256.number(html.getBytes(StandardCharsets.UTF_8)), page.form());
    }
}
