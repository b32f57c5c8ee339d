package io.datasetlisting.faces.view;

import java.util.List;

import io.datasetlisting.faces.web.HtmlPages;
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
public record PanelView(List<FacetGroups.Group> groups, FilterForm form, Long count) implements TemplateInstance {

    public String html(Language language) {
        return HtmlPages.text(this, language);
    }
}
