package io.datasetlisting.faces.web;

import io.datasetlisting.http.Language;
import io.quarkus.qute.TemplateInstance;

/**
 * The form of the filters as HTML. Its fields besides the search stand among the choices of the filters.
 *
 * @param filters
 *            how many the view has
 */
record FormView(FilterForm form, int filters) implements TemplateInstance {

    String html(Language language) {
        return HtmlPages.text(this, language);
    }
}
