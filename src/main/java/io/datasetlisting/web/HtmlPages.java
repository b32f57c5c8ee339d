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

    /** The response with a page, or 304 if the client knows it. */
    public static Response.ResponseBuilder answer(RoutingContext context, byte[] html, EntityTag tag) {
        Response.ResponseBuilder response = tag.isKnownTo(context)
                ? Response.notModified()
                : Response.ok(html).type(MediaTypes.HTML);
        return response.header(HttpHeaders.ETAG, tag.toString());
    }
}
