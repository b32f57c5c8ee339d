package io.datasetlisting.site;

import java.util.HashMap;
import java.util.Map;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.StaticFiles;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;

/** Answers the files of the page: scripts, style sheets, the icon, the land of the base map, and the documentation of the API. */
@Path("/")
public class AssetResource {

    private static final String ANY = "{path: (assets|docs)(/.*)?}";
    private static final String LEAFLET = "/META-INF/resources/webjars/leaflet/" + Endpoints.LEAFLET_VERSION + "/dist/";

    /** The file on the class path for each address. */
    private static final Map<String, String> FILES = new HashMap<>(Map.of(
            Endpoints.ASSETS + Endpoints.PAGE_STYLE, "/web/page.css",
            Endpoints.ASSETS + Endpoints.ICON, "/web/icon.svg",
            Endpoints.ASSETS + Endpoints.LAND, "/web/land.json",
            Endpoints.ASSETS + Endpoints.LEAFLET_SCRIPT, LEAFLET + "leaflet.js",
            Endpoints.ASSETS + Endpoints.LEAFLET_STYLE, LEAFLET + "leaflet.css",
            Endpoints.DOCS, "/web/docs.html",
            Endpoints.DOCS + Endpoints.DOCS_SCRIPT, "/web/docs.js",
            Endpoints.DOCS + Endpoints.DOCUMENT, "/META-INF/openapi.yaml"));

    static {
        Endpoints.SCRIPTS.forEach(name -> FILES.put(Endpoints.ASSETS + name, "/web/" + name));
    }

    private final StaticFiles files;

    AssetResource(StaticFiles files) {
        this.files = files;
    }

    /** The first request for a file reads and compresses it, which takes longer than an event loop may be blocked. */
    @GET
    @Path(ANY)
    @Blocking
    public Response read(@Context RoutingContext context) {
        return files.answer(context, FILES);
    }
}
