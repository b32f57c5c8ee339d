package io.datasetlisting.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.base.Sha256;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers files of the class path: scripts, style sheets and pictures of the pages, and the OpenAPI documents. A file is read and
 * compressed once.
 *
 * <p> A file of a page has an address in its folder, and the pages use another address in a subfolder whose name is a hash of all
 * files: caches keep that one without asking, and a module imports its neighbours from the same subfolder. A subfolder with
 * another name has the same files, which caches must revalidate: during an update, a page and its files may come from two
 * versions.
 */
@Singleton
public class StaticFiles {

    /** The folder of the files of the pages. */
    public static final String ASSETS = "/assets/";
    /** The folder of the files of the documentation, which also exists without the pages. */
    public static final String DOCUMENTATION = Endpoints.STAC + Endpoints.API + '/';
    public static final String SWAGGER_UI_VERSION = "5.30.2";
    public static final String LEAFLET_VERSION = "1.9.4";
    private static final String LIBRARIES = "/META-INF/resources/webjars/";

    /** The file on the class path for each address. */
    private static final Map<String, String> FILES = files();
    private static final String SUBFOLDER = hash() + '/';
    private static final String ANY_SUBFOLDER = "{id}/";

    /** For an address that changes with the content. */
    private static final String ONE_YEAR = "public, max-age=31536000, immutable";

    private final Map<String, StaticFile> files = new ConcurrentHashMap<>();
    private final Map<String, UnaryOperator<String>> changes = new ConcurrentHashMap<>();

    /** The content of a file, with its tag. */
    public record StaticFile(Buffer body, EntityTag tag, Compression.Cached compressed) {

        private static StaticFile of(byte[] bytes) {
            return new StaticFile(Buffer.buffer(bytes), EntityTag.ofContent(bytes), new Compression.Cached());
        }

        /** The content in the encoding that the client accepts. */
        public Buffer choose(RoutingContext context) {
            return Compression.choose(context, body, compressed);
        }
    }

    private static Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        Stream.of("page.js", "visits.js", "links.js", "forms.js", "formats.js", "sentences.js", "session.js",
                "provider.js", "access.js", "access.css",
                "search.js", "map.js",
                "base.js", "boxes.js", "circles.js", "labels.js", "time.js", "theme.js", "page.css", "icon.svg",
                "land.json",
                "ground.json", "form.js", "values.js", "draw.js", "picture.js", "conflict.js", "unlisted.js",
                "form.css")
                .forEach(name -> files.put(ASSETS + name, "/web/" + name));
        Stream.of(".js", ".css").forEach(type -> {
            files.put(ASSETS + "leaflet-" + LEAFLET_VERSION + type,
                    LIBRARIES + "leaflet/" + LEAFLET_VERSION + "/dist/leaflet" + type);
            files.put(DOCUMENTATION + "swagger-ui-" + SWAGGER_UI_VERSION + type, LIBRARIES + "swagger-ui/"
                    + SWAGGER_UI_VERSION + "/swagger-ui" + (type.equals(".js") ? "-bundle" : "") + type);
        });
        files.put(DOCUMENTATION + "page.js", "/docs/page.js");
        return files;
    }

    /** Changes with each of the files. The address of a library has its version. */
    private static String hash() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        FILES.forEach((address, name) -> {
            all.writeBytes(address.getBytes(StandardCharsets.UTF_8));
            all.writeBytes(name.startsWith(LIBRARIES) ? new byte[0] : bytes(name));
        });
        return Long.toString(Sha256.number(all.toByteArray()), Character.MAX_RADIX);
    }

    private static byte[] bytes(String name) {
        try (InputStream file = StaticFiles.class.getResourceAsStream(name)) {
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The endpoints of the files of a folder.
     *
     * @param endpoint
     *            makes an endpoint of a path and its media types
     */
    static Stream<Endpoint> endpoints(String folder, BiFunction<String, String[], Endpoint> endpoint) {
        return FILES.keySet().stream().filter(address -> address.startsWith(folder))
                .flatMap(address -> Stream.of(address, folder + ANY_SUBFOLDER + address.substring(folder.length())))
                .map(address -> endpoint.apply(address, mediaTypes(address)));
    }

    private static String[] mediaTypes(String address) {
        return switch (address.substring(address.lastIndexOf('.') + 1)) {
            case "js" -> new String[]{MediaTypes.JAVASCRIPT};
            case "css" -> new String[]{MediaTypes.CSS};
            case "svg" -> new String[]{MediaTypes.SVG};
            default -> new String[]{MediaTypes.JSON};
        };
    }

    /**
     * The address in which a page finds its files.
     *
     * @param root
     *            relative address of the service
     * @param folder
     *            {@link #ASSETS} or {@link #DOCUMENTATION}
     */
    public static String address(String root, String folder) {
        return root + folder.substring(1) + SUBFOLDER;
    }

    /** A file on the class path. The first call takes longer than an event loop may be blocked. */
    public StaticFile file(String name) {
        return files.computeIfAbsent(name, this::read);
    }

    private StaticFile read(String name) {
        UnaryOperator<String> change = changes.get(name);
        return StaticFile.of(change == null
                ? bytes(name)
                : change.apply(new String(bytes(name), StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8));
    }

    /** Makes a file have another content, which depends on the configuration. Called at the start, before any request. */
    public void change(String name, UnaryOperator<String> change) {
        changes.put(name, change);
    }

    /** The response to a request for a file of a page. The first one takes longer than an event loop may be blocked. */
    public Response answer(RoutingContext context) {
        return answer(context, FILES.get(Endpoint.of(context).path().replace(ANY_SUBFOLDER, "")));
    }

    /** The response to a request for a file with a name on the class path. */
    public Response answer(RoutingContext context, String name) {
        StaticFile file = file(name);
        Response.ResponseBuilder response = file.tag.isKnownTo(context)
                ? Response.notModified()
                : Response.ok(file.choose(context).getBytes())
                        .header(HttpHeaders.CONTENT_TYPE, Representation.of(context).mediaType());
        // The address of a library has its version.
        if (name.startsWith(LIBRARIES) || context.normalizedPath().contains('/' + SUBFOLDER)) {
            response.header(HttpHeaders.CACHE_CONTROL, ONE_YEAR);
        }
        return response.header(HttpHeaders.ETAG, file.tag.toString()).build();
    }
}
