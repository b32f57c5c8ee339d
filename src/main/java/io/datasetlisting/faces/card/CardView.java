package io.datasetlisting.faces.card;

import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.http.Language;
import io.quarkus.qute.TemplateInstance;

/**
 * A card as HTML. Its tags have their names in a language.
 *
 * @param root
 *            relative address of the service
 */
public record CardView(Card dataset, String root) implements TemplateInstance {

    public String html(Language language) {
        return HtmlPages.text(new CardView(dataset.in(language), root), language);
    }
}
