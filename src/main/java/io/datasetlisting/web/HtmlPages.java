package io.datasetlisting.web;

import java.net.URI;
import java.nio.charset.StandardCharsets;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.storage.ThumbnailLinks;
import io.quarkus.qute.TemplateInstance;
import io.vertx.ext.web.RoutingContext;

/** Renders pages and answers them, with an ETag and the policy of their content. */
@Singleton
public class HtmlPages {

    /**
     * No script and no style inside of a page, and no other host than the storage of the thumbnails and the tile server.
     *
     * @see <a href="https://www.w3.org/TR/CSP3/">Content Security Policy</a>
     */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' data:%s; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

    private final String policy;

    HtmlPages(ThumbnailLinks thumbnails, PageConfig config) {
        policy = POLICY.formatted(
                " " + thumbnails.origin() + config.tiles().map(tiles -> " " + originOfTiles(tiles)).orElse(""));
    }

    /** A template of addresses may begin with the place of a subdomain, {@code https://{s}.tiles.example.org/...}. */
    private static String originOfTiles(String tiles) {
        URI address = URI.create(tiles.replace("{s}", "s").replaceAll("[{}]", ""));
        String origin = address.getScheme() + "://" + address.getRawAuthority();
        return tiles.contains("://{s}.") ? origin.replace("://s.", "://*.") : origin;
    }

    /** The page as bytes. */
    static byte[] render(TemplateInstance page) {
        return page.render().getBytes(StandardCharsets.UTF_8);
    }

    /** The response with a page, or 304 if the client knows it. */
    public Response.ResponseBuilder answer(RoutingContext context, byte[] html, EntityTag tag) {
        setPolicy(context);
        Response.ResponseBuilder response = tag.isKnownTo(context)
                ? Response.notModified()
                : Response.ok(html).type(MediaTypes.HTML);
        return response.header(HttpHeaders.ETAG, tag.toString());
    }

    /** Replaces the policy of the API's responses. The resource's response would have both. */
    public void setPolicy(RoutingContext context) {
        context.response().putHeader("Content-Security-Policy", policy);
    }
}
