package io.datasetlisting.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.ClassPathFile;
import io.datasetlisting.base.Sha256;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;

/**
 * Answers files of the class path: scripts, style sheets, pictures and outlines of land of the pages, and the OpenAPI documents.
 * A file is read and compressed once.
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
    public static final String LEAFLET_VERSION = "1.9.4";
    private static final String LIBRARIES = "/META-INF/resources/webjars/";
    private static final String LEAFLET = LIBRARIES + "leaflet/" + LEAFLET_VERSION + "/dist/leaflet";
    /** It begins with the style sheet of Leaflet. */
    private static final String STYLE = "/web/page.css";
    private static final String SCRIPTS = "/web/";
    /** A line for each part of the world, which is a file of its own. */
    private static final String GROUND = "/web/ground.ndjson";
    private static final String PART = GROUND + '#';
    private static final List<String> PARTS_OF_GROUND = ClassPathFile.read(GROUND).lines().toList();
    private static final Pattern PART_OF_GROUND = Pattern.compile(".*/ground-(0|[1-9]\\d?)\\.json");
    /** What each page needs at once, and later, each module behind its imports. The last one's file has all: no name is twice. */
    private static final List<List<String>> JOINED = List.of(
            modules("sentences session boxes circles labels ground base footprints tools map page"),
            modules("links forms formats search time visits later"));
    private static final Pattern IMPORT = Pattern
            .compile("(?m)^(?:import \\{([^}]*)\\}|export \\*) from '\\./([^']*)';\n");

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

        private static StaticFile of(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return new StaticFile(Buffer.buffer(bytes), EntityTag.ofContent(bytes), new Compression.Cached());
        }

        /** The content in the encoding that the client accepts. */
        public Buffer choose(RoutingContext context) {
            return Compression.choose(context, body, compressed);
        }
    }

    private static Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        Stream.of("""
                page.js later.js visits.js links.js forms.js formats.js sentences.js session.js provider.js access.js accounts.js
                access.css search.js map.js ground.js base.js boxes.js circles.js footprints.js tools.js labels.js time.js
                page.css icon.svg land.json form.js values.js sides.js draw.js place.js picture.js conflict.js
                unlisted.js form.css rasters.js swipe.js""".split("\\s+"))
                .forEach(name -> files.put(ASSETS + name, "/web/" + name));
        files.put(ASSETS + "leaflet-" + LEAFLET_VERSION + ".js", LEAFLET + ".js");
        files.put(ASSETS + "ground-{x}.json", GROUND);
        files.put(DOCUMENTATION + "page.js", "/docs/page.js");
        return files;
    }

    /** Changes with each of the files as they are sent. The address of a library has its version. */
    private static String hash() {
        StringBuilder all = new StringBuilder();
        FILES.forEach((address, name) -> all.append(address).append(name.startsWith(LIBRARIES) ? "" : text(name)));
        return Long.toString(Sha256.number(all.toString().getBytes(StandardCharsets.UTF_8)), Character.MAX_RADIX);
    }

    private static String text(String name) {
        return switch (name) {
            case STYLE -> ClassPathFile.read(LEAFLET + ".css") + ClassPathFile.code(STYLE);
            default -> name.startsWith(PART)
                    ? PARTS_OF_GROUND.get(Integer.parseInt(name.substring(PART.length())))
                    : JOINED.stream().filter(each -> each.contains(name)).findFirst()
                            .map(each -> name.equals(last(each)) ? joined(each) : imports("export *", last(each)))
                            .orElseGet(() -> ClassPathFile.code(name));
        };
    }

    private static List<String> modules(String names) {
        return Stream.of(names.split(" ")).map(name -> SCRIPTS + name + ".js").toList();
    }

    private static String last(List<String> modules) {
        return modules.get(modules.size() - 1);
    }

    private static String imports(String what, String module) {
        return what + " from './" + module.substring(SCRIPTS.length()) + "';\n";
    }

    /** The modules as one. What they import of others is in the first file. */
    private static String joined(List<String> modules) {
        Set<String> imported = new TreeSet<>();
        String text = modules.stream().map(each -> IMPORT.matcher(ClassPathFile.code(each)).replaceAll(found -> {
            if (!modules.contains(SCRIPTS + found.group(2))) {
                imported.addAll(List.of(found.group(1).strip().split("\\s*,\\s*")));
            }
            return "";
        })).collect(Collectors.joining("\n"));
        return imported.isEmpty()
                ? text
                : imports("import { " + String.join(", ", imported) + " }", last(JOINED.get(0))) + text;
    }

    /** The endpoints of the files of a folder. */
    static Stream<Endpoint> endpoints(String folder) {
        return FILES.keySet().stream().filter(address -> address.startsWith(folder))
                .flatMap(address -> Stream.of(address, folder + ANY_SUBFOLDER + address.substring(folder.length())))
                .map(address -> Endpoints.reads(address, mediaType(address)));
    }

    private static String mediaType(String address) {
        return switch (address.substring(address.lastIndexOf('.') + 1)) {
            case "js" -> MediaTypes.JAVASCRIPT;
            case "css" -> MediaTypes.CSS;
            case "svg" -> MediaTypes.SVG;
            default -> MediaTypes.JSON;
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
        return StaticFile.of(change == null ? text(name) : change.apply(text(name)));
    }

    /** Makes a file have another content, which depends on the configuration. Called at the start, before any request. */
    public void change(String name, UnaryOperator<String> change) {
        changes.put(name, change);
    }

    /** The response to a request for a file of a page. The first one takes longer than an event loop may be blocked. */
    public Response answer(RoutingContext context) {
        String name = FILES.get(Endpoint.of(context).path().replace(ANY_SUBFOLDER, ""));
        Matcher part = PART_OF_GROUND.matcher(context.normalizedPath());
        if (name.equals(GROUND) && !(part.matches() && Integer.parseInt(part.group(1)) < PARTS_OF_GROUND.size())) {
            throw ApiException.notFound();
        }
        return answer(context, name.equals(GROUND) ? PART + part.group(1) : name);
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
