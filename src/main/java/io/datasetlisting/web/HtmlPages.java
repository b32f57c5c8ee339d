package io.datasetlisting.web;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.quarkus.qute.TemplateInstance;
import io.vertx.ext.web.RoutingContext;

/** Renders pages and answers them with an ETag. */
public final class HtmlPages {

    /** Characters of most pages. */
    private static final int SIZE = 32_768;

    private HtmlPages() {
    }

    /** The page as bytes. A template whose data are values is rendered at once; {@code render()} would wait for other data. */
    public static byte[] render(TemplateInstance page) {
        StringBuilder html = new StringBuilder(SIZE);
        CompletableFuture<Void> rendered = page.consume(html::append).toCompletableFuture();
        if (!rendered.isDone()) {
            throw new IllegalStateException("the data of a page must be values");
        }
        rendered.join();
        return html.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The response with a page, or 304 if the client knows it. */
    public static Response.ResponseBuilder answer(RoutingContext context, byte[] html, EntityTag tag) {
        Response.ResponseBuilder response = tag.isKnownTo(context)
                ? Response.notModified()
                : Response.ok(html).type(MediaTypes.HTML);
        return response.header(HttpHeaders.ETAG, tag.toString());
    }
}
