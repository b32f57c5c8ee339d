package io.datasetlisting.faces.site;

import io.datasetlisting.faces.web.HtmlPages;
import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;

/**
 * The documentation of the service in the frame of the pages: calls to begin with, and the operations of the OpenAPI document,
 * which a script loads when the reader opens them.
 *
 * @param documentation
 *            relative address of the files of the documentation
 * @param service
 *            absolute address of the service, which ends with a slash
 */
@CheckedTemplate(basePath = "")
record DocsPage(HtmlPages.Layout page, String documentation, String service) implements TemplateInstance {
}
