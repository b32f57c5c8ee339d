package io.datasetlisting.web;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

import io.quarkus.qute.TemplateInstance;

/** Renders pages. */
public final class HtmlPages {

    private HtmlPages() {
    }

    /** The page as bytes. */
    public static byte[] render(TemplateInstance page) {
        return text(page).getBytes(StandardCharsets.UTF_8);
    }

    /** A template whose data are values is rendered at once; {@code render()} would wait for other data. */
    static String text(TemplateInstance page) {
        StringBuilder html = new StringBuilder();
        CompletableFuture<Void> rendered = page.consume(html::append).toCompletableFuture();
        if (!rendered.isDone()) {
            throw new IllegalStateException("the data of a page must be values");
        }
        rendered.join();
        return html.toString();
    }
}
