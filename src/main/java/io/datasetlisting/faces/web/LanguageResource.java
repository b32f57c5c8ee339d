package io.datasetlisting.faces.web;

import java.util.Arrays;
import java.util.stream.Collectors;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Keeps the language that a reader chooses in a cookie, and leads back to the page of the reader. */
@Path(Endpoints.PAGES + Endpoints.LANGUAGE)
@Produces(MediaTypes.HTML)
public class LanguageResource {

    private static final String COOKIE = Language.COOKIE + "=%s; Path=%s/; Max-Age=31536000; SameSite=Lax; HttpOnly";

    /** Proxies refuse a response with longer headers. */
    private static final int MAX_ADDRESS = 3_000;

    private final PublicUrl publicUrl;

    LanguageResource(PublicUrl publicUrl) {
        this.publicUrl = publicUrl;
    }

    @GET
    @NonBlocking
    public Response choose(@Context RoutingContext context) {
        Language language = Language.ofTag(QueryString.parse(context.request().query()).get(Language.COOKIE));
        if (language == null) {
            throw new ApiException(400, "language: one of " + Arrays.stream(Language.values()).map(Language::tag)
                    .collect(Collectors.joining(", ")) + " is expected.");
        }
        return Response.status(Response.Status.SEE_OTHER)
                .header(HttpHeaders.SET_COOKIE, COOKIE.formatted(language.tag(), publicUrl.prefix()))
                .header(HttpHeaders.LOCATION, page(context.request())).build();
    }

    /** The page from which the reader comes if it is one of this service and no very long one, and otherwise the list. */
    private String page(HttpServerRequest request) {
        String from = request.getHeader("Referer");
        return from != null && from.length() <= MAX_ADDRESS && from.startsWith(publicUrl.of(Endpoints.HOME, request))
                && !from.startsWith(publicUrl.of(Endpoints.PAGES + Endpoints.LANGUAGE, request))
                        ? from
                        : publicUrl.of(Endpoints.PAGES, request);
    }
}
