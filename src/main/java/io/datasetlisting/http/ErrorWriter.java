package io.datasetlisting.http;

import java.util.List;

import io.vertx.ext.web.RoutingContext;

/** Writes errors as pages for people. The room of the pages implements it, because it has the frame of the pages. */
public interface ErrorWriter {

    /**
     * An error as a page.
     *
     * @param title
     *            the reason phrase of the status
     * @param sentences
     *            the reasons that a program receives
     */
    String write(RoutingContext context, int status, String title, List<String> sentences);
}
