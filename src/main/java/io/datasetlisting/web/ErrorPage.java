package io.datasetlisting.web;

import java.util.List;

import io.quarkus.qute.TemplateInstance;

/** An error in the frame of the pages. */
record ErrorPage(Layout page, String heading, List<String> sentences) implements TemplateInstance {
}
