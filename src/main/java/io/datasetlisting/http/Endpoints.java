package io.datasetlisting.http;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.http.Endpoint.Access;
import io.quarkus.arc.All;

/** The table of all endpoints under {@code /api/}. A path that it does not contain is answered with 404. */
@Singleton
public class Endpoints {

    public static final String DATASETS = "/api/dataset/";
    /** Relative to {@link #DATASETS}. */
    public static final String ID = "{id}/";
    /** Relative to {@link #DATASETS}. */
    public static final String THUMBNAIL = ID + "thumbnail/";
    public static final String SEARCH = "/api/search_datasets";
    public static final String COORDINATES = "/api/dataset_coords";
    public static final String ACCOUNTS = "/api/account/";
    /** Relative to {@link #ACCOUNTS}. */
    public static final String ME = "me/";
    public static final String TOKENS = "/api/token/";

    private static final List<Endpoint> TABLE = List.of(
            new Endpoint(DATASETS, "GET, POST, HEAD, OPTIONS", Access.OPEN,
                    List.of(MediaTypes.JSON, MediaTypes.NDJSON, MediaTypes.GEO_JSON, MediaTypes.CSV)),
            new Endpoint(DATASETS + ID, "GET, PUT, PATCH, DELETE, HEAD, OPTIONS", Access.OPEN),
            new Endpoint(DATASETS + THUMBNAIL, "PUT, OPTIONS", Access.OPEN),
            new Endpoint(SEARCH, "GET, HEAD, OPTIONS", Access.OPEN),
            new Endpoint(COORDINATES, "GET, HEAD, OPTIONS", Access.OPEN),
            new Endpoint(ACCOUNTS, "GET, POST, HEAD, OPTIONS", Access.ADMINS),
            new Endpoint(ACCOUNTS + ME, "GET, HEAD, OPTIONS", Access.MEMBERS),
            new Endpoint(TOKENS, "GET, POST, HEAD, OPTIONS", Access.ADMINS),
            new Endpoint(TOKENS + ID, "DELETE, OPTIONS", Access.ADMINS));

    private final List<Endpoint> all;

    /**
     * @param added
     *            endpoints of a build profile, for example of the benchmark
     */
    Endpoints(@All List<Endpoint> added) {
        // A literal path is tried before a path with a variable segment.
        all = Stream.concat(TABLE.stream(), added.stream()).sorted(Comparator.comparing(Endpoint::hasVariableSegment))
                .toList();
    }

    /** All endpoints, literal paths first. */
    public List<Endpoint> all() {
        return all;
    }

    /** The endpoint of a path, or null. */
    public Endpoint find(String path) {
        for (Endpoint endpoint : all) {
            if (endpoint.matches(path)) {
                return endpoint;
            }
        }
        return null;
    }
}
