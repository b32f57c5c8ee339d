package io.datasetlisting.web;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

import io.quarkus.qute.TemplateInstance;

/** Renders pages. */
public final class HtmlPages {

    /** Room for the text of a page of 15 datasets, which otherwise is copied again and again while it grows. */
    private static final int LENGTH = 20_000;
    private static final int LENGTH_OF_PART = 1000;

    private HtmlPages() {
    }

    /** The page as bytes. */
    public static byte[] render(TemplateInstance page) {
        return text(page, LENGTH).getBytes(StandardCharsets.UTF_8);
    }

    /** A part of a page. */
    static String text(TemplateInstance part) {
        return text(part, LENGTH_OF_PART);
    }

    /** A template whose data are values is rendered at once; {@code render()} would wait for other data. */
    private static String text(TemplateInstance page, int length) {
        StringBuilder html = new StringBuilder(length);
        CompletableFuture<Void> rendered = page.consume(html::append).toCompletableFuture();
        if (!rendered.isDone()) {
            throw new IllegalStateException("the data of a page must be values");
        }
        rendered.join();
        return html.toString();
    }
}
