package io.datasetlisting.faces.view;

import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.http.Language;
import io.quarkus.qute.TemplateInstance;

/**
 * The form of the filters as HTML. Its fields besides the search stand among the choices of the filters.
 *
 * @param filters
 *            how many the view has
 */
public record FormView(FilterForm form, int filters) implements TemplateInstance {

    public String html(Language language) {
        return HtmlPages.text(this, language);
    }
}
