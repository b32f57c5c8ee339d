package io.datasetlisting.http;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.http.Endpoint.Access;
import io.quarkus.arc.All;

/** The table of all endpoints except those of the platform. A path that it does not contain is answered with 404. */
@Singleton
public class Endpoints {

    public static final String DATASETS = "/api/dataset/";
    /** Relative to {@link #DATASETS}, as the next two. */
    public static final String ID = "{id}/";
    public static final String THUMBNAIL = ID + "thumbnail/";
    public static final String RASTER = ID + "raster/{product}";
    /** Shows a deleted dataset again. Relative to {@link #DATASETS}. */
    public static final String RESTORE = ID + "restore/";
    /** Erases: a deleted dataset, or personal data. Relative to {@link #DATASETS} and {@link #ACCOUNTS}. */
    public static final String ERASE = ID + "erase/";
    /** Gives the datasets of an account to another one. Relative to {@link #ACCOUNTS}. */
    public static final String HANDOVER = ID + "handover/";
    /** Deleted datasets that can be restored. Relative to {@link #DATASETS}; their page, relative to {@link #PAGES}. */
    public static final String DELETED = "deleted/";
    /** The caller's datasets without a location. Relative to {@link #DATASETS}; their page, relative to {@link #PAGES}. */
    public static final String DRAFTS = "drafts/";
    /** How many datasets each choice of a filter would find. Relative to {@link #DATASETS}. */
    public static final String FACETS = "facets/";
    /** How many datasets were captured when. Relative to {@link #DATASETS}. */
    public static final String HISTOGRAM = "histogram/";
    /** What has changed since a position, relative to {@link #DATASETS}; the newest changes, relative to {@link #PAGES}. */
    public static final String CHANGES = "changes/";
    /** What a copy has to contain. Relative to {@link #CHANGES}. */
    public static final String DIGEST = "digest/";
    public static final String SEARCH = "/api/search_datasets";
    public static final String COORDINATES = "/api/dataset_coords";
    public static final String ACCOUNTS = "/api/account/";
    /** Relative to {@link #ACCOUNTS}. */
    public static final String ME = "me/";
    public static final String TOKENS = "/api/token/";
    /** What owners say about their workspaces. */
    public static final String WORKSPACES = "/api/workspace/";
    public static final String AUDIT = "/api/audit/";
    /** The identities of the provider, each with the account for which it acts. */
    public static final String IDENTITIES = "/api/identity/";
    /** The OpenAPI document of the service. */
    public static final String OPENAPI = "/q/openapi";

    /** The catalogue as STAC API and OGC API - Features. The following paths are relative to it. */
    public static final String STAC = "/stac";
    public static final String CONFORMANCE = "/conformance";
    public static final String API = "/api";
    public static final String API_PAGE = "/api.html";
    public static final String QUERYABLES = "/queryables";
    public static final String SORTABLES = "/sortables";
    public static final String STAC_SEARCH = "/search";
    public static final String AGGREGATIONS = "/aggregations";
    public static final String AGGREGATE = "/aggregate";
    public static final String STAC_CHANGES = "/changes";
    public static final String COLLECTIONS = "/collections";
    /** The first one has all datasets, and each item names it. */
    public static final List<String> COLLECTION_IDS = List.of("datasets", "areas", "points");
    public static final String COLLECTION = COLLECTIONS + "/datasets";
    /** The datasets of a workspace. */
    public static final String COLLECTION_OF_WORKSPACE = COLLECTIONS + "/workspace-{workspace}";
    /** Relative to a collection, as {@link #QUERYABLES}, {@link #SORTABLES}, the aggregations, and the next two. */
    public static final String SCHEMA = "/schema";
    public static final String ITEMS = "/items";
    public static final String ITEM = ITEMS + "/{id}";

    /** Relative to {@link #STAC} and to a collection, as the next two. */
    public static final String TILE_SETS = "/tiles";
    public static final String TILE_SET = TILE_SETS + "/WebMercatorQuad";
    public static final String STAC_TILE = TILE_SET + "/{z}/{y}/{x}";
    public static final String MATRIX_SETS = "/tileMatrixSets";
    public static final String MATRIX_SET = MATRIX_SETS + "/WebMercatorQuad";
    /** Vector tiles of the listing. */
    public static final String TILES = "/tiles/";
    /** Relative to {@link #TILES}, as the next one. */
    public static final String TILE = "{z}/{x}/{y}.mvt";
    public static final String TILE_JSON = "tilejson.json";

    /** Stored exports: the newest files, and those of a version. */
    public static final String EXPORTS = "/exports/";

    public static final String HOME = "/";
    /** The page for people: the list, with each dataset below it at {@link #ID}. */
    public static final String PAGES = "/datasets/";
    /** How many datasets lie where, for the map. Relative to {@link #PAGES}. */
    public static final String GRID = "grid/";
    /** What a person may have meant by a text in the search field. Relative to {@link #PAGES}. */
    public static final String SUGGEST = "suggest/";
    /** Tokens, relative to {@link #PAGES}, as the next one. */
    public static final String TOKENS_PAGE = "tokens/";
    public static final String ACCOUNTS_PAGE = "accounts/";
    /** Sets the language of the pages. Relative to {@link #PAGES}. */
    public static final String LANGUAGE = "language/";
    /** To this page the provider of identities sends a reader back. Relative to {@link #PAGES}. */
    public static final String SIGNED_IN = "signed-in/";
    /** The forms for a new dataset, and for a change of one. Relative to {@link #PAGES}. */
    public static final String NEW = "new/";
    public static final String EDIT = ID + "edit/";
    /** The OpenAPI document of all addresses, as a page. */
    public static final String DOCS = "/docs/";
    /** The document itself, which operators need not route elsewhere. Relative to {@link #DOCS}. */
    public static final String DOCUMENT = "openapi.yaml";
    public static final String ROBOTS = "/robots.txt";
    public static final String SITEMAP = "/sitemap.xml";
    public static final String SITEMAP_PART = "/sitemap-{id}.xml";

    /** The addresses that only programs use. */
    private static final String DATA = "/api";
    /** The methods that only read, in the form of the {@code Allow} header. */
    public static final String READ = "GET, HEAD, OPTIONS";
    private static final String[] SCHEMA_TYPES = {MediaTypes.SCHEMA_JSON, MediaTypes.JSON};
    /** Clients that only accept JSON receive GeoJSON under this name. */
    private static final String[] FEATURE_TYPES = {MediaTypes.GEO_JSON, MediaTypes.JSON};
    private static final String[] ITEMS_TYPES = {MediaTypes.GEO_JSON, MediaTypes.JSON, MediaTypes.GEO_PARQUET,
            MediaTypes.FLAT_GEOBUF};

    private static final List<Endpoint> TABLE = Stream.of(Stream.of(
            new Endpoint(DATASETS, "GET, POST, HEAD, OPTIONS", Access.OPEN,
                    List.of(MediaTypes.JSON, MediaTypes.NDJSON, MediaTypes.GEO_JSON, MediaTypes.CSV,
                            MediaTypes.GEO_PARQUET, MediaTypes.FLAT_GEOBUF)),
            new Endpoint(DATASETS + ID, "GET, PUT, PATCH, DELETE, HEAD, OPTIONS", Access.OPEN),
            // GET is a redirect, but a client that accepts only images must reach it.
            new Endpoint(DATASETS + THUMBNAIL, "GET, PUT, HEAD, OPTIONS", Access.OPEN,
                    List.of(MediaTypes.JSON, MediaTypes.JPEG, MediaTypes.PNG, MediaTypes.WEBP)),
            new Endpoint(DATASETS + RASTER, "GET, POST, HEAD, OPTIONS", Access.OPEN,
                    List.of(MediaTypes.JSON, MediaTypes.TIFF)).named("Dataset Raster"),
            new Endpoint(DATASETS + RASTER + '/', "GET, POST, HEAD, OPTIONS", Access.OPEN,
                    List.of(MediaTypes.JSON, MediaTypes.TIFF)).named("Dataset Raster"),
            new Endpoint(DATASETS + RESTORE, "POST, OPTIONS", Access.OPEN).named("Dataset Restore"),
            new Endpoint(DATASETS + ERASE, "POST, OPTIONS", Access.ADMINS).named("Dataset Erase"),
            new Endpoint(DATASETS + DELETED, READ, Access.MEMBERS).named("Deleted Datasets"),
            new Endpoint(DATASETS + DRAFTS, READ, Access.MEMBERS).named("Drafts"),
            new Endpoint(DATASETS + FACETS, READ, Access.OPEN).named("Dataset Facets"),
            new Endpoint(DATASETS + HISTOGRAM, READ, Access.OPEN).named("Dataset Histogram"),
            new Endpoint(DATASETS + CHANGES, READ, Access.OPEN,
                    List.of(MediaTypes.JSON, MediaTypes.NDJSON, MediaTypes.EVENT_STREAM)).named("Dataset Changes"),
            new Endpoint(DATASETS + CHANGES + DIGEST, READ, Access.OPEN).named("Dataset Digest"),
            new Endpoint(SEARCH, READ, Access.OPEN).named("Dataset Search"),
            new Endpoint(SEARCH + '/', READ, Access.OPEN).named("Dataset Search"),
            new Endpoint(COORDINATES, READ, Access.OPEN).named("Dataset Coordinates"),
            new Endpoint(COORDINATES + '/', READ, Access.OPEN).named("Dataset Coordinates"),
            new Endpoint(ACCOUNTS, "GET, POST, HEAD, OPTIONS", Access.ADMINS).named("Account List"),
            new Endpoint(ACCOUNTS + ME, READ, Access.MEMBERS).named("Account"),
            new Endpoint(ACCOUNTS + ID, "GET, PATCH, HEAD, OPTIONS", Access.ADMINS).named("Account Instance"),
            new Endpoint(ACCOUNTS + HANDOVER, "POST, OPTIONS", Access.ADMINS).named("Account Handover"),
            new Endpoint(ACCOUNTS + ERASE, "POST, OPTIONS", Access.ADMINS).named("Account Erase"),
            new Endpoint(TOKENS, "GET, POST, HEAD, OPTIONS", Access.MEMBERS).named("Token List"),
            new Endpoint(TOKENS + ID, "GET, DELETE, HEAD, OPTIONS", Access.MEMBERS).named("Token Instance"),
            new Endpoint(WORKSPACES + ID, "GET, PUT, PATCH, HEAD, OPTIONS", Access.OPEN).named("Workspace"),
            new Endpoint(AUDIT, READ, Access.ADMINS, List.of(MediaTypes.JSON, MediaTypes.NDJSON)).named("Audit"),
            new Endpoint(IDENTITIES, "GET, POST, HEAD, OPTIONS", Access.ADMINS).named("Identity List"),
            new Endpoint(IDENTITIES + ID, "DELETE, OPTIONS", Access.ADMINS).named("Identity Instance"),
            reads(STAC),
            reads(STAC + '/'),
            reads(STAC + CONFORMANCE),
            reads(STAC + API, MediaTypes.OPENAPI_3_0, MediaTypes.JSON),
            reads(STAC + API_PAGE, MediaTypes.HTML),
            reads(STAC + QUERYABLES, SCHEMA_TYPES),
            reads(STAC + SORTABLES, SCHEMA_TYPES),
            new Endpoint(STAC + STAC_SEARCH, "GET, POST, HEAD, OPTIONS", Access.READERS, List.of(ITEMS_TYPES)),
            reads(STAC + AGGREGATIONS),
            aggregate(STAC),
            reads(STAC + STAC_CHANGES, MediaTypes.JSON, MediaTypes.NDJSON, MediaTypes.EVENT_STREAM),
            reads(STAC + MATRIX_SETS),
            reads(STAC + MATRIX_SET),
            reads(TILES + TILE_JSON),
            reads(TILES + TILE, MediaTypes.VECTOR_TILE),
            reads(STAC + COLLECTIONS)),
            ofTiles(STAC),
            Stream.of("datasets.", "datasets-{version}.").map(file -> EXPORTS + file)
                    .flatMap(file -> Stream.of(reads(file + "parquet", MediaTypes.GEO_PARQUET),
                            reads(file + "fgb", MediaTypes.FLAT_GEOBUF), reads(file + "ndjson.gz", MediaTypes.GZIP)))
                    .map(endpoint -> endpoint.named("Stored Export")),
            COLLECTION_IDS.stream().map(id -> STAC + COLLECTIONS + '/' + id).flatMap(Endpoints::ofCollection),
            ofCollection(STAC + COLLECTION_OF_WORKSPACE),
            StaticFiles.endpoints(StaticFiles.DOCUMENTATION)).flatMap(Function.identity()).toList();

    private static final List<Endpoint> PAGE_TABLE = Stream.concat(Stream.of(
            reads(HOME, MediaTypes.HTML),
            reads(PAGES, MediaTypes.HTML),
            reads(PAGES + ID, MediaTypes.HTML),
            reads(PAGES + CHANGES, MediaTypes.HTML, MediaTypes.ATOM),
            reads(PAGES + GRID),
            reads(PAGES + SUGGEST),
            reads(PAGES + TOKENS_PAGE, MediaTypes.HTML),
            reads(PAGES + ACCOUNTS_PAGE, MediaTypes.HTML),
            reads(PAGES + LANGUAGE, MediaTypes.HTML),
            reads(PAGES + SIGNED_IN, MediaTypes.HTML),
            reads(PAGES + NEW, MediaTypes.HTML),
            reads(PAGES + DRAFTS, MediaTypes.HTML),
            reads(PAGES + DELETED, MediaTypes.HTML),
            reads(PAGES + EDIT, MediaTypes.HTML),
            reads(DOCS, MediaTypes.HTML),
            reads(DOCS + DOCUMENT, MediaTypes.YAML, MediaTypes.JSON),
            reads(ROBOTS, MediaTypes.TEXT),
            reads(SITEMAP, MediaTypes.XML),
            reads(SITEMAP_PART, MediaTypes.XML)),
            StaticFiles.endpoints(StaticFiles.ASSETS)).toList();

    /** Literal paths, which are tried before paths with a variable segment. */
    private final Map<String, Endpoint> literal;
    private final List<Endpoint> variable;
    private final boolean hasPages;

    /**
     * @param added
     *            endpoints of a build profile, for example of the benchmark
     */
    Endpoints(@All List<Endpoint> added, PageConfig page) {
        hasPages = page.enabled();
        Map<Boolean, List<Endpoint>> parts = Stream.of(hasPages ? withPages() : TABLE, added).flatMap(List::stream)
                .collect(Collectors.partitioningBy(Endpoint::hasVariableSegment));
        literal = parts.get(false).stream().collect(Collectors.toMap(Endpoint::path, Function.identity()));
        variable = parts.get(true);
    }

    /** An endpoint that all callers may read, as JSON unless it has other media types. */
    static Endpoint reads(String path, String... mediaTypes) {
        return new Endpoint(path, READ, Access.READERS,
                mediaTypes.length == 0 ? List.of(MediaTypes.JSON) : List.of(mediaTypes));
    }

    private static Stream<Endpoint> ofCollection(String path) {
        return Stream.concat(Stream.of(reads(path), reads(path + QUERYABLES, SCHEMA_TYPES),
                reads(path + SORTABLES, SCHEMA_TYPES), reads(path + SCHEMA, SCHEMA_TYPES),
                items(path, ITEMS, "GET, POST, HEAD, OPTIONS", ITEMS_TYPES),
                items(path, ITEM, "GET, PUT, PATCH, DELETE, HEAD, OPTIONS", FEATURE_TYPES), reads(path + AGGREGATIONS),
                aggregate(path)),
                ofTiles(path));
    }

    /** The items of a collection, or one of them. Only those of the collection that each item names can be written. */
    private static Endpoint items(String collection, String path, String methods, String... types) {
        return collection.equals(STAC + COLLECTION)
                ? new Endpoint(collection + path, methods, Access.OPEN, List.of(types))
                : reads(collection + path, types);
    }

    private static Stream<Endpoint> ofTiles(String path) {
        return Stream.of(reads(path + TILE_SETS), reads(path + TILE_SET),
                reads(path + STAC_TILE, MediaTypes.VECTOR_TILE));
    }

    private static Endpoint aggregate(String path) {
        return new Endpoint(path + AGGREGATE, "GET, POST, HEAD, OPTIONS", Access.READERS);
    }

    /** Whether a path of the STAC API leads to the results of aggregations, which have no page: the numbers are for programs. */
    public static boolean isAggregate(String path) {
        return isStac(path) && path.endsWith(AGGREGATE);
    }

    /** The endpoints with the pages: the documents of the STAC API also have HTML. */
    private static List<Endpoint> withPages() {
        return Stream.concat(TABLE.stream()
                .map(row -> row.isStac() && !isAggregate(row.path()) && !row.renders().contains(MediaTypes.EVENT_STREAM)
                        && row.renders().contains(MediaTypes.JSON)
                                ? row.withPage()
                                : row),
                PAGE_TABLE.stream()).toList();
    }

    /** All endpoints. */
    public List<Endpoint> all() {
        return Stream.concat(literal.values().stream(), variable.stream()).toList();
    }

    /** Whether a path belongs to the STAC API, whose errors have another shape. */
    public static boolean isStac(String path) {
        return path != null && (path.equals(STAC) || path.startsWith(STAC + '/'));
    }

    /** Whether people may have typed a path: browsers receive its errors as pages, also if no endpoint has the path. */
    public boolean isForPeople(String path) {
        return hasPages && !isStac(path) && !path.equals(DATA) && !path.startsWith(DATA + '/')
                && !path.startsWith(TILES);
    }

    /** The endpoint of a path, or null. */
    public Endpoint find(String path) {
        Endpoint found = literal.get(path);
        return found != null
                ? found
                : variable.stream().filter(endpoint -> endpoint.matches(path)).findFirst().orElse(null);
    }
}
