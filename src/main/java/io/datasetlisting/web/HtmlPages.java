package io.datasetlisting.web;

import java.nio.charset.StandardCharsets;

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
        return page.render().getBytes(StandardCharsets.UTF_8);
    }

    /** The response with a page, or 304 if the client knows it. */
    public static Response.ResponseBuilder answer(RoutingContext context, byte[] html, EntityTag tag) {
        Response.ResponseBuilder response = tag.isKnownTo(context)
                ? Response.notModified()
                : Response.ok(html).type(MediaTypes.HTML);
        return response.header(HttpHeaders.ETAG, tag.toString());
    }
}
