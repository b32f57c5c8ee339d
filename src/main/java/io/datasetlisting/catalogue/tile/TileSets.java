package io.datasetlisting.catalogue.tile;

import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.QueryString;

/**
 * Makes the documents that describe vector tiles.
 *
 * @see <a href="https://docs.ogc.org/is/20-057/20-057.html">OGC API - Tiles</a>
 * @see <a href="https://docs.ogc.org/is/17-083r4/17-083r4.html">OGC Two Dimensional Tile Matrix Set and Tile Set Metadata</a>
 */
@Singleton
public class TileSets {

    /** A test holds each requirement of each class. */
    public static final List<String> CONFORMS_TO = List.of("core", "tileset", "tilesets-list", "dataset-tilesets",
            "geodata-tilesets", "mvt").stream()
            .map(name -> "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/" + name).toList();

    private static final String OGC = "http://www.opengis.net/def/";
    private static final String SCHEME = OGC + "rel/ogc/1.0/tiling-scheme";
    private static final String ID = "WebMercatorQuad";
    private static final String TITLE = "Google Maps Compatible for the World";
    private static final String URI = OGC + "tilematrixset/OGC/1.0/" + ID;
    private static final String CRS = OGC + "crs/EPSG/0/3857";
    private static final String SCALES = OGC + "wkss/OGC/1.0/GoogleMapsCompatible";
    /** From the centre of the projection to its edge, in metres. */
    private static final double EDGE = Math.PI * 6_378_137;
    private static final int PIXELS = 256;
    /** The size of a pixel in metres, by which the standard defines scales. */
    private static final double PIXEL_SIZE = 0.00028;

    /** Whether this class has a document at a path relative to {@code /stac} or to a collection. */
    public boolean has(String path) {
        return path.startsWith(Endpoints.TILE_SETS) || path.startsWith(Endpoints.MATRIX_SETS);
    }

    /**
     * The document at a path.
     *
     * @param path
     *            relative to the parent, for which {@link #has} is true
     * @param title
     *            of the collection whose datasets are shown
     * @param filters
     *            the conditions of the datasets, which each address of tiles also has
     * @param parent
     *            the public address of the catalogue or of a collection
     * @param stac
     *            the public address of the catalogue
     * @param links
     *            of each document; it gets the links of this one
     */
    public ObjectNode document(String path, String title, QueryString filters, String parent, String stac,
            ArrayNode links) {
        ObjectNode document = switch (path) {
            case Endpoints.TILE_SETS -> tileSets(title, filters, parent, stac);
            case Endpoints.TILE_SET -> tileSet(title, filters, parent, stac, links);
            case Endpoints.MATRIX_SETS -> matrixSets(stac);
            default -> matrixSet();
        };
        document.set("links", links);
        return document;
    }

    private static ObjectNode tileSets(String title, QueryString filters, String parent, String stac) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ObjectNode only = describe(document.putArray("tilesets").addObject(), title);
        ArrayNode links = only.putArray("links");
        addLink(links, "self", filters.appendTo(parent + Endpoints.TILE_SET), MediaTypes.JSON);
        addLink(links, SCHEME, stac + Endpoints.MATRIX_SET, MediaTypes.JSON);
        return document;
    }

    private static ObjectNode describe(ObjectNode tileSet, String title) {
        return tileSet.put("title", title).put("dataType", "vector").put("crs", CRS).put("tileMatrixSetURI", URI);
    }

    private static ObjectNode addLink(ArrayNode links, String rel, String href, String type) {
        return links.addObject().put("rel", rel).put("href", href).put("type", type);
    }

    private static ObjectNode tileSet(String title, QueryString filters, String parent, String stac,
            ArrayNode links) {
        addLink(links, SCHEME, stac + Endpoints.MATRIX_SET, MediaTypes.JSON);
        addLink(links, "item",
                filters.appendTo(parent + Endpoints.TILE_SET + "/{tileMatrix}/{tileRow}/{tileCol}"),
                MediaTypes.VECTOR_TILE).put("templated", true);
        ObjectNode document = describe(JsonNodeFactory.instance.objectNode(), title);
        ArrayNode limits = document.putArray("tileMatrixSetLimits");
        for (int zoom = 0; zoom <= TileAddress.MAX_ZOOM; zoom++) {
            int last = (1 << zoom) - 1;
            limits.addObject().put("tileMatrix", Integer.toString(zoom)).put("minTileRow", 0).put("maxTileRow", last)
                    .put("minTileCol", 0).put("maxTileCol", last);
        }
        ArrayNode layers = document.putArray("layers");
        addProperty(addLayer(layers, DensityLayer.NAME, "Number of datasets in each cell"), DensityLayer.COUNT,
                "integer");
        ObjectNode datasets = addLayer(layers, DatasetLayer.NAME,
                "Footprints, in tiles with at most " + DatasetLayer.MAX_DATASETS);
        addProperty(datasets, DatasetLayer.ID, "integer");
        addProperty(datasets, DatasetLayer.TITLE, "string");
        addProperty(datasets, DatasetLayer.TIME, "string").put("format", "date-time");
        return document;
    }

    /** The properties of a layer, to be filled. */
    private static ObjectNode addLayer(ArrayNode layers, String id, String title) {
        return layers.addObject().put("id", id).put("title", title).put("dataType", "vector").put("crs", CRS)
                .put("minTileMatrix", "0").put("maxTileMatrix", Integer.toString(TileAddress.MAX_ZOOM))
                .putObject("propertiesSchema").put("type", "object").putObject("properties");
    }

    private static ObjectNode addProperty(ObjectNode properties, String name, String type) {
        return properties.putObject(name).put("type", type);
    }

    private static ObjectNode matrixSets(String stac) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ObjectNode only = document.putArray("tileMatrixSets").addObject().put("id", ID).put("title", TITLE)
                .put("uri", URI).put("crs", CRS);
        addLink(only.putArray("links"), "self", stac + Endpoints.MATRIX_SET, MediaTypes.JSON);
        return document;
    }

    private static ObjectNode matrixSet() {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("id", ID).put("title", TITLE).put("uri", URI)
                .put("crs", CRS).put("wellKnownScaleSet", SCALES);
        document.putArray("orderedAxes").add("X").add("Y");
        ArrayNode matrices = document.putArray("tileMatrices");
        for (int zoom = 0; zoom <= TileAddress.MAX_ZOOM; zoom++) {
            int across = 1 << zoom;
            double size = 2 * EDGE / PIXELS / across;
            ObjectNode matrix = matrices.addObject().put("id", Integer.toString(zoom))
                    .put("scaleDenominator", size / PIXEL_SIZE).put("cellSize", size)
                    .put("cornerOfOrigin", "topLeft").put("tileWidth", PIXELS).put("tileHeight", PIXELS)
                    .put("matrixWidth", across).put("matrixHeight", across);
            matrix.putArray("pointOfOrigin").add(-EDGE).add(EDGE);
        }
        return document;
    }
}
