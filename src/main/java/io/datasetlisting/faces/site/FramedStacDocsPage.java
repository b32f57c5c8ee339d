package io.datasetlisting.faces.site;

import io.datasetlisting.faces.web.HtmlPages;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;

/**
 * The documentation of {@code /stac} in the frame of the pages.
 *
 * @param documentation
 *            relative address of the files of the documentation
 */
@CheckedTemplate(basePath = "")
record FramedStacDocsPage(HtmlPages.Layout page, String documentation) implements TemplateInstance {
}
