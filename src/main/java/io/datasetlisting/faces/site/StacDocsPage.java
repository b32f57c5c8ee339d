package io.datasetlisting.faces.site;

import io.quarkus.qute.CheckedTemplate;
import io.quarkus.qute.TemplateInstance;

/**
 * The page that shows the OpenAPI document of {@code /stac}, which a script reads. It has no frame: a service without pages has
 * no files of the frame.
 *
 * @param files
 *            relative address of the files of the page
 */
@CheckedTemplate(basePath = "")
record StacDocsPage(String files) implements TemplateInstance {
}
