package io.datasetlisting.web;

import java.util.Map;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.dataset.DatasetJson;
import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.StaticFiles;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;

/** Answers the files of the page: scripts, style sheets, the icon, and the land of the base map. */
@Path(Endpoints.ASSETS)
public class AssetResource {

    private static final String ANY = "{file}";
    private static final String LEAFLET = "/META-INF/resources/webjars/leaflet/" + Endpoints.LEAFLET_VERSION + "/dist/";

    /** The file on the class path for each name. */
    private static final Map<String, String> FILES = Map.of(
            Endpoints.PAGE_SCRIPT, "/web/page.js",
            Endpoints.MAP_SCRIPT, "/web/map.js",
            Endpoints.SESSION_SCRIPT, "/web/session.js",
            Endpoints.PAGE_STYLE, "/web/page.css",
            Endpoints.ICON, "/web/icon.svg",
            Endpoints.LAND, "/web/land.json",
            Endpoints.LEAFLET_SCRIPT, LEAFLET + "leaflet.js",
            Endpoints.LEAFLET_STYLE, LEAFLET + "leaflet.css");

    private final StaticFiles files;

    AssetResource(StaticFiles files) {
        this.files = files;
    }

    /** The first request for a file reads and compresses it, which takes longer than an event loop may be blocked. */
    @GET
    @Path(ANY)
    @Blocking
    public Response read(@Context RoutingContext context) {
        String name = Endpoint.of(context).path().substring(Endpoints.ASSETS.length());
        String file = FILES.get(name);
        if (file == null) {
            throw ApiException.notFound();
        }
        return files.answer(context, file, name.contains(Endpoints.LEAFLET_VERSION)).build();
    }

    /** A method of its own, because the platform does not send the length of a body that it does not write. */
    @HEAD
    @Path(ANY)
    @Blocking
    public Response head(@Context RoutingContext context) {
        return DatasetJson.withoutBody(read(context));
    }
}
