package io.datasetlisting.faces.web;

import java.nio.charset.StandardCharsets;
import java.util.List;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.Sha256;
import io.datasetlisting.catalogue.listing.ListingResult;
import io.datasetlisting.catalogue.suggest.Suggestion;
import io.datasetlisting.catalogue.suggest.Suggestions;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.mutiny.Uni;

/** Makes links to what a search without a match may have meant. */
@Singleton
class DidYouMean {

    private static final String SEARCH = "search";

    private final Suggestions suggestions;

    DidYouMean(Suggestions suggestions) {
        this.suggestions = suggestions;
    }

    /** The links as HTML; empty if datasets match or the view has no search, null if there was no time for them. */
    Uni<String> html(ListingResult result, QueryString query, Caller caller, Language language) {
        String typed = query.get(SEARCH);
        if (result.count() > 0 || typed == null || typed.isBlank()) {
            return Uni.createFrom().item("");
        }
        QueryString others = query.without("p", SEARCH);
        return suggestions.correct(typed, others.without("page_size", "ordering"), caller)
                .map(found -> HtmlPages.text(new DidYouMeanPart(typed, links(found.similar(), others),
                        links(found.containing(), others), links(found.areas(), others)), language))
                // The list is of use without them.
                .onFailure().recoverWithNull();
    }

    private static List<DidYouMeanPart.Link> links(List<Suggestion> found, QueryString others) {
        return found.stream().map(each -> new DidYouMeanPart.Link(
                others.without(each.parameter()).with(each.parameter(), each.value()).appendTo("./"), each.text(),
                each.detail(), each.count())).toList();
    }

    /** The tag of a page with this HTML. */
    static EntityTag tag(EntityTag page, String html) {
        return html.isEmpty()
                ? page
                : new EntityTag(page.version() ^ Sha256.number(html.getBytes(StandardCharsets.UTF_8)), page.form());
    }
}
