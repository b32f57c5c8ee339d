package io.datasetlisting.faces.site;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.RestMulti;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.listing.StreamLimits;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Tells search engines which addresses to read. */
@Path("/")
public class SitemapResource {

    /** Crawlers read all datasets through the sitemap, and none of the endless combinations of filters. */
    private static final String RULES = """
            User-agent: *
            Disallow: %1$s/api/
            Disallow: %1$s/stac
            Disallow: %1$s/datasets/?
            Disallow: %1$s/datasets/changes/?
            Allow: %1$s/datasets/changes/?*format=atom
            Disallow: %1$s/datasets/grid/
            Disallow: %1$s/datasets/language/
            Disallow: %1$s/datasets/suggest/
            Disallow: %1$s/tiles/
            Disallow: %1$s/exports/
            Sitemap: %2$s
            """;

    /** The response is the same for every caller, and search engines tolerate an old one. */
    private static final String ONE_HOUR = "public, max-age=3600";

    private final Sitemap sitemap;
    private final StreamLimits limits;
    private final PublicUrl publicUrl;

    SitemapResource(Sitemap sitemap, StreamLimits limits, PublicUrl publicUrl) {
        this.sitemap = sitemap;
        this.limits = limits;
        this.publicUrl = publicUrl;
    }

    @GET
    @Path(Endpoints.ROBOTS)
    @Produces(MediaTypes.TEXT)
    @NonBlocking
    public Response robots(@Context RoutingContext context) {
        return cacheable(
                RULES.formatted(publicUrl.prefix(), url(context) + Endpoints.SITEMAP).getBytes(StandardCharsets.UTF_8),
                MediaTypes.TEXT);
    }

    @GET
    @Path(Endpoints.SITEMAP)
    @Produces(MediaTypes.XML)
    public Uni<Response> index(@Context RoutingContext context) {
        return sitemap.index(url(context)).map(xml -> cacheable(xml, MediaTypes.XML));
    }

    @GET
    @Path(Endpoints.SITEMAP_PART)
    @Produces(MediaTypes.XML)
    public RestMulti<byte[]> part(@PathParam("id") String id, @Context RoutingContext context) {
        long number = number(id);
        String url = url(context);
        return RestMulti.fromUniResponse(sitemap.start(number),
                start -> limits.limitInTurn(sitemap.part(url, number, start), context),
                start -> Map.of(HttpHeaders.CACHE_CONTROL, List.of(ONE_HOUR)));
    }

    /** The length of a stream is not known before its end. */
    @HEAD
    @Path(Endpoints.SITEMAP_PART)
    @Produces(MediaTypes.XML)
    public Uni<Response> headPart(@PathParam("id") String id) {
        return sitemap.start(number(id)).map(start -> Response.ok().type(MediaTypes.XML)
                .header(HttpHeaders.CACHE_CONTROL, ONE_HOUR).build());
    }

    private static Response cacheable(byte[] body, String type) {
        return Response.ok(body).type(type).header(HttpHeaders.CACHE_CONTROL, ONE_HOUR).build();
    }

    private String url(RoutingContext context) {
        return publicUrl.of("", context.request());
    }

    /** The number of a part, as the index writes it: {@code 1}, not {@code 01}. */
    private static long number(String id) {
        if (!id.matches("[1-9]\\d{0,8}")) {
            throw ApiException.notFound();
        }
        return Long.parseLong(id);
    }
}
