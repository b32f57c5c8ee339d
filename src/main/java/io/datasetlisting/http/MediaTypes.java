package io.datasetlisting.http;

/** The media types of the API's requests and responses. */
public final class MediaTypes {

    public static final String JSON = "application/json";
    /** One JSON text on each line. */
    public static final String NDJSON = "application/x-ndjson";
    /** Server-sent events. */
    public static final String EVENT_STREAM = "text/event-stream";
    public static final String GEO_JSON = "application/geo+json";
    /** By this type the platform selects the method that answers all features in place of a page. The response is GeoJSON. */
    public static final String ALL_FEATURES = GEO_JSON + "-all";
    /** RFC 7396. */
    public static final String MERGE_PATCH = "application/merge-patch+json";
    public static final String CSV = "text/csv";
    public static final String GEO_PARQUET = "application/vnd.apache.parquet";
    public static final String FLAT_GEOBUF = "application/vnd.flatgeobuf";
    /** Lines of NDJSON, compressed as a file. */
    public static final String GZIP = "application/gzip";
    public static final String SCHEMA_JSON = "application/schema+json";
    /** A description of an API as OpenAPI 3.0. */
    public static final String OPENAPI_3_0 = "application/vnd.oai.openapi+json;version=3.0";
    /** The media type of OGC and of the Internet Assigned Numbers Authority. */
    public static final String VECTOR_TILE = "application/vnd.mapbox-vector-tile";
    public static final String HTML = "text/html";
    public static final String CSS = "text/css";
    public static final String JAVASCRIPT = "text/javascript";
    public static final String SVG = "image/svg+xml";
    public static final String XML = "application/xml";
    /** RFC 4287. */
    public static final String ATOM = "application/atom+xml";
    public static final String YAML = "application/yaml";
    public static final String TEXT = "text/plain";
    public static final String TIFF = "image/tiff";
    /** The media types of thumbnails. */
    public static final String JPEG = "image/jpeg";
    public static final String PNG = "image/png";
    public static final String WEBP = "image/webp";
    /** Errors as problem details (RFC 9457). */
    public static final String PROBLEM_JSON = "application/problem+json";

    private MediaTypes() {
    }

    /** Whether a response of this type is in the language of its reader. */
    public static boolean hasLanguage(String mediaType) {
        return HTML.equals(mediaType) || ATOM.equals(mediaType);
    }
}
