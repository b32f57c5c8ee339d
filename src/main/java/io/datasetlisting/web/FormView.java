package io.datasetlisting.web;

import io.quarkus.qute.TemplateInstance;

/** The form of the filters as HTML. */
record FormView(FilterForm form) implements TemplateInstance {

    String html() {
        return HtmlPages.text(this);
    }
}
