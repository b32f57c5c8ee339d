package io.datasetlisting.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;

/** Checks documents with the schemas of STAC and OGC API - Features, which are in {@code src/test/resources/schemas}. */
public final class StacSchemas {

    public static final String CATALOG = stac("catalog");
    public static final String COLLECTION = stac("collection");
    public static final String AGGREGATIONS = "urn:stac-aggregation#/$defs/aggregations";
    public static final String AGGREGATE = "urn:stac-aggregation#/$defs/aggregate";
    public static final String ITEM = stac("item");
    public static final String AUTHENTICATION = "https://stac-extensions.github.io/authentication/v1.1.0/schema.json";
    private static final String EO = "https://stac-extensions.github.io/eo/v2.0.0/schema.json";
    private static final String PROJECTION = "https://stac-extensions.github.io/projection/v2.0.0/schema.json";
    private static final String FILE = "https://stac-extensions.github.io/file/v2.1.0/schema.json";
    private static final String SCIENTIFIC = "https://stac-extensions.github.io/scientific/v1.0.0/schema.json";
    private static final String WEB_MAP_LINKS = "https://stac-extensions.github.io/web-map-links/v1.2.0/schema.json";
    public static final String LANDING_PAGE = ogc("landingPage");
    public static final String CONFORMANCE = ogc("confClasses");
    public static final String COLLECTIONS = ogc("collections");
    public static final String OGC_COLLECTION = ogc("collection");
    public static final String FEATURE = ogc("feature");
    public static final String FEATURE_COLLECTION = ogc("featureCollection");
    public static final String SELECTION_OF_FEATURES = ogc("featureCollectionOfFields");
    public static final String EXCEPTION = ogc("exception");
    public static final String SCHEMA = ogc("schema");
    public static final String QUERYABLES = ogc("queryables");
    public static final String SORTABLES = ogc("sortables");

    public static final String TILE_SET = ogc("tileSet");
    public static final String MATRIX_SET = ogc("tileMatrixSet");

    private static final String OGC = "urn:ogcapi-features";
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final SchemaValidatorsConfig CONFIG = SchemaValidatorsConfig.builder().formatAssertionsEnabled(true)
            .build();
    private static final JsonSchemaFactory FACTORY = factory();
    private static final Map<String, JsonSchema> KNOWN = new ConcurrentHashMap<>();

    private StacSchemas() {
    }

    private static String stac(String name) {
        return "https://schemas.stacspec.org/v1.1.0/" + name + "-spec/json-schema/" + name + ".json";
    }

    private static String ogc(String name) {
        return "urn:ogcapi-features#/$defs/" + name;
    }

    private static JsonSchemaFactory factory() {
        Map<String, String> files = new HashMap<>();
        Stream.of("basics", "bands", "common", "data-values", "datetime", "instrument", "item", "licensing", "provider")
                .forEach(name -> files.put(
                        "https://schemas.stacspec.org/v1.1.0/item-spec/json-schema/" + name + ".json",
                        read("stac/" + name)));
        files.put(CATALOG, read("stac/catalog"));
        files.put(COLLECTION, read("stac/collection"));
        files.put(AUTHENTICATION, read("stac/authentication"));
        files.put(EO, read("stac/eo"));
        files.put(PROJECTION, read("stac/projection"));
        files.put(FILE, read("stac/file"));
        files.put(SCIENTIFIC, read("stac/scientific"));
        // The projection extension refers to it. No item has a PROJJSON.
        files.put("https://proj.org/schemas/v0.7/projjson.schema.json", "{}");
        files.put(WEB_MAP_LINKS, read("stac/web-map-links"));
        Stream.of("Feature", "Geometry").forEach(
                name -> files.put("https://geojson.org/schema/" + name + ".json", read("geojson/" + name)));
        files.put(OGC, read("ogc/features"));
        files.put("urn:stac-aggregation", read("stac/aggregation"));
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012,
                builder -> builder.schemaLoaders(loaders -> loaders.schemas(files)));
    }

    private static String read(String name) {
        try (InputStream file = StacSchemas.class.getResourceAsStream("/schemas/" + name + ".json")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * @param name
     *            a constant of this class
     *
     * @throws AssertionError
     *             if the document does not match the schema
     */
    public static void check(String name, String json) {
        List<String> errors = errors(name, parse(json));
        if (!errors.isEmpty()) {
            throw new AssertionError(errors + " in " + json);
        }
    }

    private static JsonNode parse(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }

    /** An item also matches the schema of its extension. */
    private static List<String> errors(String name, JsonNode json) {
        List<String> errors = new ArrayList<>(ownErrors(name, withoutTemplates(json)));
        if (name.equals(ITEM)) {
            json.path("stac_extensions").forEach(extension -> errors.addAll(ownErrors(extension.textValue(), json)));
        }
        return errors;
    }

    /** The extension web-map-links wants a template where the schemas of all links want an address, which has no braces. */
    private static JsonNode withoutTemplates(JsonNode json) {
        if (!json.findValuesAsText("rel").contains("xyz")) {
            return json;
        }
        JsonNode copy = json.deepCopy();
        copy.findParents("rel").stream().filter(link -> link.get("rel").asText().equals("xyz"))
                .forEach(link -> ((ObjectNode) link).put("href",
                        link.get("href").asText().replaceAll("\\{([xyz])}", "$1")));
        return copy;
    }

    private static List<String> ownErrors(String name, JsonNode json) {
        return KNOWN.computeIfAbsent(name, id -> FACTORY.getSchema(SchemaLocation.of(id), CONFIG)).validate(json)
                .stream().limit(5).map(error -> name + ": " + error).toList();
    }

    /**
     * The errors of a JSON response under {@code /stac}, by the schemas for its kind.
     *
     * @param isWhole
     *            whether items have all members; the parameter {@code fields} removes some
     */
    public static List<String> errors(String path, int status, String body, boolean isWhole) {
        JsonNode json = parse(body);
        if (status >= 400) {
            return errors(EXCEPTION, json);
        }
        if (status == 201) {
            return json.path("type").asText().equals("Feature")
                    ? errors(json, ITEM, FEATURE)
                    : errors(json, List.of(), ITEM, json.path("features"));
        }
        return switch (path.replaceAll("/{2,}", "/").replaceFirst("/collections/(areas|points|workspace-\\d+)",
                "/collections/datasets")) {
            case "/stac", "/stac/" -> errors(json, CATALOG, AUTHENTICATION, LANDING_PAGE, CONFORMANCE);
            case "/stac/conformance" -> errors(CONFORMANCE, json);
            case "/stac/collections" -> errors(json, List.of(COLLECTIONS), COLLECTION, json.path("collections"));
            case "/stac/collections/datasets" -> errors(json, COLLECTION, OGC_COLLECTION);
            case "/stac/queryables", "/stac/collections/datasets/queryables" -> errors(QUERYABLES, json);
            case "/stac/sortables", "/stac/collections/datasets/sortables" -> errors(SORTABLES, json);
            case "/stac/collections/datasets/schema" -> errors(SCHEMA, json);
            case "/stac/search", "/stac/collections/datasets/items" -> isWhole
                    ? errors(json, List.of(FEATURE_COLLECTION), ITEM, json.path("features"))
                    : errors(SELECTION_OF_FEATURES, json);
            case "/stac/changes" -> json.path("changes").findValues("item").stream()
                    .flatMap(item -> errors(ITEM, item).stream()).toList();
            case "/stac/aggregations", "/stac/collections/datasets/aggregations" -> errors(AGGREGATIONS, json);
            case "/stac/aggregate", "/stac/collections/datasets/aggregate" -> errors(AGGREGATE, json);
            case "/stac/api" -> List.of();
            case "/stac/tiles", "/stac/collections/datasets/tiles", "/stac/tileMatrixSets" -> List.of();
            case "/stac/tiles/WebMercatorQuad", "/stac/collections/datasets/tiles/WebMercatorQuad" -> errors(TILE_SET,
                    json);
            case "/stac/tileMatrixSets/WebMercatorQuad" -> errors(MATRIX_SET, json);
            default -> errors(json, ITEM, FEATURE);
        };
    }

    private static List<String> errors(JsonNode json, String... names) {
        return Stream.of(names).flatMap(name -> errors(name, json).stream()).toList();
    }

    private static List<String> errors(JsonNode json, List<String> names, String nameOfParts, JsonNode parts) {
        List<String> errors = new ArrayList<>(errors(json, names.toArray(String[]::new)));
        parts.forEach(part -> errors.addAll(errors(nameOfParts, part)));
        return errors;
    }
}
