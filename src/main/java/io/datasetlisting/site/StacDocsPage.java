package io.datasetlisting.site;

import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;

/**
 * The page that shows the OpenAPI document of {@code /stac}: Swagger UI from the class path, without any other host. It has no
 * frame, because it also exists without the pages.
 *
 * @param files
 *            relative address of the files of the page
 */
@CheckedTemplate(basePath = "")
record StacDocsPage(String files) implements TemplateInstance {
}
