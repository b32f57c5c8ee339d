package io.datasetlisting.faces.web;

import java.util.List;

import io.datasetlisting.http.Language;
import io.quarkus.qute.TemplateInstance;

/**
 * The filters as HTML: a column on a wide screen, a sheet on others.
 *
 * @param groups
 *            the filters whose choices are links
 * @param form
 *            the other filters
 * @param count
 *            the datasets that match; null if the filters cannot be used
 */
record PanelView(List<FacetGroups.Group> groups, FilterForm form, Long count) implements TemplateInstance {

    String html(Language language) {
        return HtmlPages.text(this, language);
    }
}
