package io.datasetlisting.faces.api;

import static io.datasetlisting.support.Catalogue.dataset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Images;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.RandomTests;
import io.datasetlisting.support.WithStorage;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;

/**
 * Tests what each caller may do at each address by each method, over HTTP and with private datasets. An endpoint without a row
 * here fails the test.
 */
@QuarkusTest
@TestProfile(WithStorage.class)
class RightsMatrixTest {

    private static final List<String> METHODS = List.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE");

    /** Three methods in one row. */
    private static final String READ = "READ";
    /** All methods that the endpoint does not have, in one row. */
    private static final String OTHERS = "*";

    /** The name of each private dataset. */
    private static final String HIDDEN = "hiddenmatrix";

    /** The callers, in the order of the statuses in a row. */
    private enum Who {
        ANONYMOUS,
        /** Reads for the account that owns the private datasets. */
        READER,
        /** Writes for the account that owns them. */
        WRITER,
        /** Writes for another account. */
        OTHER, ADMIN,
        /** Writes for the account that owns them, in another workspace than theirs. */
        SCOPED;

        boolean seesPrivate() {
            return this != ANONYMOUS && this != OTHER;
        }
    }

    /**
     * Method, path of the endpoint, request target, body, statuses, and what a response with 200 shows. The target may be a query
     * alone. One status is that of all callers; otherwise there is one for each of {@link Who}. {@code names}: it contains the
     * names of private datasets for those who see them, and for nobody else. {@code counts}: it differs from the response to an
     * anonymous caller for those who see private datasets, and is equal to it for the other account. In braces: ids of datasets
     * and tokens, which begin with {@code new} if the request changes them.
     */
    private static final String MATRIX = """
            GET     | /api/dataset/ | ?page_size=100 | | 200 | names
            GET     | /api/dataset/ | ?format=ndjson | | 200 | names
            GET     | /api/dataset/ | ?format=csv | | 200 | names
            GET     | /api/dataset/ | ?format=geojson | | 200 | names
            GET     | /api/dataset/ | ?format=geojson&all=true | | 200 | names
            GET     | /api/dataset/ | ?format=flatgeobuf | | 200 | names
            HEAD    | /api/dataset/ | | | 200 |
            OPTIONS | /api/dataset/ | | | 200 |
            POST    | /api/dataset/ | | {"workspace":70} | 401 403 201 201 201 403 |
            POST    | /api/dataset/ | | lines | 401 403 403 403 200 403 |
            *       | /api/dataset/ | | | 401 403 405 405 405 405 |

            READ    | /api/dataset/{id}/ | /api/dataset/{private}/ | | 404 200 200 404 200 200 | names
            READ    | /api/dataset/{id}/ | /api/dataset/{draft}/ | | 404 200 200 404 200 200 | names
            READ    | /api/dataset/{id}/ | /api/dataset/{public}/ | | 200 |
            PUT     | /api/dataset/{id}/ | /api/dataset/{newprivate}/ | {} | 401 403 200 404 200 403 |
            PATCH   | /api/dataset/{id}/ | /api/dataset/{newprivate}/ | {} | 401 403 200 404 200 403 |
            DELETE  | /api/dataset/{id}/ | /api/dataset/{newprivate}/ | | 401 403 204 404 204 403 |
            PUT     | /api/dataset/{id}/ | /api/dataset/{newpublic}/ | {} | 401 403 200 403 200 403 |
            PATCH   | /api/dataset/{id}/ | /api/dataset/{newpublic}/ | {} | 401 403 200 403 200 403 |
            PATCH   | /api/dataset/{id}/ | /api/dataset/{newallowed}/ | {} | 401 403 200 403 200 200 |
            PATCH   | /api/dataset/{id}/ | /api/dataset/{newallowed}/ | {"workspace":70} | 401 403 200 403 200 403 |
            DELETE  | /api/dataset/{id}/ | /api/dataset/{newpublic}/ | | 401 403 204 403 204 403 |
            DELETE  | /api/dataset/{id}/ | /api/dataset/{newallowed}/ | | 401 403 204 403 204 204 |
            *       | /api/dataset/{id}/ | /api/dataset/{private}/ | | 401 403 405 405 405 405 |

            GET     | /api/dataset/{id}/thumbnail/ | /api/dataset/{private}/thumbnail/ | | 404 302 302 404 302 302 |
            HEAD    | /api/dataset/{id}/thumbnail/ | /api/dataset/{private}/thumbnail/ | | 404 302 302 404 302 302 |
            OPTIONS | /api/dataset/{id}/thumbnail/ | /api/dataset/{private}/thumbnail/ | | 404 200 200 404 200 200 |
            GET     | /api/dataset/{id}/raster/{product} | /api/dataset/{private}/raster/ortho | | 404 302 302 404 302 302 |
            HEAD    | /api/dataset/{id}/raster/{product} | /api/dataset/{private}/raster/ortho | | 404 302 302 404 302 302 |
            OPTIONS | /api/dataset/{id}/raster/{product} | /api/dataset/{private}/raster/ortho | | 200 200 200 200 200 200 |
            POST    | /api/dataset/{id}/raster/{product} | /api/dataset/{newprivate}/raster/dtm | | 401 403 404 404 404 403 |
            POST    | /api/dataset/{id}/raster/{product} | /api/dataset/{newpublic}/raster/dtm | | 401 403 404 403 404 403 |
            *       | /api/dataset/{id}/raster/{product} | /api/dataset/{private}/raster/ortho | | 401 403 405 405 405 405 |
            GET     | /api/dataset/{id}/raster/{product}/ | /api/dataset/{private}/raster/ortho/ | | 404 302 302 404 302 302 |
            HEAD    | /api/dataset/{id}/raster/{product}/ | /api/dataset/{private}/raster/ortho/ | | 404 302 302 404 302 302 |
            OPTIONS | /api/dataset/{id}/raster/{product}/ | /api/dataset/{private}/raster/ortho/ | | 200 200 200 200 200 200 |
            POST    | /api/dataset/{id}/raster/{product}/ | /api/dataset/{newpublic}/raster/dtm/ | | 401 403 404 403 404 403 |
            *       | /api/dataset/{id}/raster/{product}/ | /api/dataset/{private}/raster/ortho/ | | 401 403 405 405 405 405 |
            PUT     | /api/dataset/{id}/thumbnail/ | /api/dataset/{newprivate}/thumbnail/ | image | 401 403 200 404 200 403 |
            PUT     | /api/dataset/{id}/thumbnail/ | /api/dataset/{newpublic}/thumbnail/ | image | 401 403 200 403 200 403 |
            *       | /api/dataset/{id}/thumbnail/ | /api/dataset/{private}/thumbnail/ | | 401 403 405 405 405 405 |

            POST    | /api/dataset/{id}/restore/ | /api/dataset/{newdeleted}/restore/ | | 401 403 200 404 200 403 |
            POST    | /api/dataset/{id}/restore/ | /api/dataset/{newpublic}/restore/ | | 401 403 200 404 200 403 |
            POST    | /api/dataset/{id}/restore/ | /api/dataset/{newallowed}/restore/ | | 401 403 200 404 200 200 |
            OPTIONS | /api/dataset/{id}/restore/ | /api/dataset/{private}/restore/ | | 200 |
            GET     | /api/dataset/{id}/restore/ | /api/dataset/{private}/restore/ | | 405 |
            HEAD    | /api/dataset/{id}/restore/ | /api/dataset/{private}/restore/ | | 405 |
            PUT     | /api/dataset/{id}/restore/ | /api/dataset/{private}/restore/ | | 401 403 405 405 405 405 |
            PATCH   | /api/dataset/{id}/restore/ | /api/dataset/{private}/restore/ | | 401 403 405 405 405 405 |
            DELETE  | /api/dataset/{id}/restore/ | /api/dataset/{private}/restore/ | | 401 403 405 405 405 405 |
            POST    | /api/dataset/{id}/erase/ | /api/dataset/{newdeleted}/erase/ | | 401 403 403 403 204 403 |
            POST    | /api/dataset/{id}/erase/ | /api/dataset/{private}/erase/ | | 401 403 403 403 409 403 |
            POST    | /api/dataset/{id}/erase/ | /api/dataset/999999/erase/ | | 401 403 403 403 404 403 |
            OPTIONS | /api/dataset/{id}/erase/ | /api/dataset/{private}/erase/ | | 401 403 403 403 200 403 |
            *       | /api/dataset/{id}/erase/ | /api/dataset/{private}/erase/ | | 401 403 403 403 405 403 |
            READ    | /api/dataset/deleted/ | | | 401 200 200 200 200 200 |
            GET     | /api/dataset/deleted/ | ?user={owner} | | 401 200 200 403 200 200 | names
            *       | /api/dataset/deleted/ | | | 401 405 405 405 405 405 |
            READ    | /api/dataset/drafts/ | | | 401 200 200 200 200 200 |
            GET     | /api/dataset/drafts/ | ?user={owner} | | 401 200 200 403 200 200 | names
            *       | /api/dataset/drafts/ | | | 401 405 405 405 405 405 |

            READ    | /api/dataset/facets/ | ?facets=category,year | | 200 | counts
            *       | /api/dataset/facets/ | | | 401 403 405 405 405 405 |
            READ    | /api/dataset/histogram/ | ?interval=year | | 200 | counts
            *       | /api/dataset/histogram/ | | | 401 403 405 405 405 405 |
            GET     | /api/dataset/changes/ | | | 200 | names
            GET     | /api/dataset/changes/ | ?format=ndjson | | 200 | names
            HEAD    | /api/dataset/changes/ | | | 200 |
            OPTIONS | /api/dataset/changes/ | | | 200 |
            *       | /api/dataset/changes/ | | | 401 403 405 405 405 405 |
            READ    | /api/dataset/changes/digest/ | ?cursor={cursor} | | 200 | counts
            *       | /api/dataset/changes/digest/ | | | 401 403 405 405 405 405 |
            READ    | /api/search_datasets | | | 200 | names
            *       | /api/search_datasets | | | 401 403 405 405 405 405 |
            READ    | /api/search_datasets/ | | | 200 | names
            *       | /api/search_datasets/ | | | 401 403 405 405 405 405 |
            READ    | /api/dataset_coords | | | 200 | counts
            *       | /api/dataset_coords | | | 401 403 405 405 405 405 |
            READ    | /api/dataset_coords/ | | | 200 | counts
            *       | /api/dataset_coords/ | | | 401 403 405 405 405 405 |

            READ    | /api/account/ | | | 401 403 403 403 200 403 |
            POST    | /api/account/ | | {"username":"matrix {n}"} | 401 403 403 403 201 403 |
            *       | /api/account/ | | | 401 403 403 403 405 403 |
            READ    | /api/account/me/ | | | 401 200 200 200 200 200 |
            *       | /api/account/me/ | | | 401 405 405 405 405 405 |
            READ    | /api/account/{id}/ | /api/account/{owner}/ | | 401 403 403 403 200 403 |
            GET     | /api/account/{id}/ | /api/account/999999/ | | 401 403 403 403 404 403 |
            PATCH   | /api/account/{id}/ | /api/account/{owner}/ | {"disabled":false} | 401 403 403 403 200 403 |
            PATCH   | /api/account/{id}/ | /api/account/999999/ | {"disabled":false} | 401 403 403 403 404 403 |
            *       | /api/account/{id}/ | /api/account/{owner}/ | | 401 403 403 403 405 403 |
            POST    | /api/account/{id}/handover/ | /api/account/{owner}/handover/ | {"to":999999} | 401 403 403 403 400 403 |
            POST    | /api/account/{id}/handover/ | /api/account/999999/handover/ | {"to":0} | 401 403 403 403 404 403 |
            OPTIONS | /api/account/{id}/handover/ | /api/account/{owner}/handover/ | | 401 403 403 403 200 403 |
            *       | /api/account/{id}/handover/ | /api/account/{owner}/handover/ | | 401 403 403 403 405 403 |
            POST    | /api/account/{id}/erase/ | /api/account/{owner}/erase/ | | 401 403 403 403 409 403 |
            POST    | /api/account/{id}/erase/ | /api/account/999999/erase/ | | 401 403 403 403 404 403 |
            OPTIONS | /api/account/{id}/erase/ | /api/account/{owner}/erase/ | | 401 403 403 403 200 403 |
            *       | /api/account/{id}/erase/ | /api/account/{owner}/erase/ | | 401 403 403 403 405 403 |
            READ    | /api/workspace/{id}/ | /api/workspace/999999/ | | 200 |
            PUT     | /api/workspace/{id}/ | /api/workspace/999999/ | {} | 401 403 403 403 200 403 |
            PATCH   | /api/workspace/{id}/ | /api/workspace/999999/ | {} | 401 403 403 403 200 403 |
            *       | /api/workspace/{id}/ | /api/workspace/999999/ | | 401 403 405 405 405 405 |
            READ    | /api/token/ | | | 401 200 200 200 200 200 |
            POST    | /api/token/ | | {"right":"reader"} | 401 201 201 201 201 201 |
            POST    | /api/token/ | | {"right":"writer"} | 401 400 201 201 201 201 |
            POST    | /api/token/ | | {"right":"admin"} | 401 400 400 400 201 400 |
            POST    | /api/token/ | | {"right":"writer","workspaces":[70]} | 401 400 201 201 201 400 |
            POST    | /api/token/ | | {"right":"reader","user":0} | 401 403 403 403 201 403 |
            *       | /api/token/ | | | 401 405 405 405 405 405 |
            GET     | /api/token/{id}/ | /api/token/{token}/ | | 401 200 200 404 200 200 |
            HEAD    | /api/token/{id}/ | /api/token/{token}/ | | 401 200 200 404 200 200 |
            OPTIONS | /api/token/{id}/ | /api/token/{token}/ | | 401 200 200 200 200 200 |
            DELETE  | /api/token/{id}/ | /api/token/{newtoken}/ | | 401 403 204 404 204 403 |
            *       | /api/token/{id}/ | /api/token/{token}/ | | 401 405 405 405 405 405 |
            READ    | /api/identity/ | | | 401 403 403 403 200 403 |
            POST    | /api/identity/ | | {"issuer":"a","subject":"{n}","user":0} | 401 403 403 403 201 403 |
            *       | /api/identity/ | | | 401 403 403 403 405 403 |
            DELETE  | /api/identity/{id}/ | /api/identity/999999/ | | 401 403 403 403 404 403 |
            OPTIONS | /api/identity/{id}/ | /api/identity/999999/ | | 401 403 403 403 200 403 |
            *       | /api/identity/{id}/ | /api/identity/999999/ | | 401 403 403 403 405 403 |
            GET     | /api/audit/ | | | 401 403 403 403 200 403 |
            GET     | /api/audit/ | ?format=ndjson | | 401 403 403 403 200 403 |
            HEAD    | /api/audit/ | | | 401 403 403 403 200 403 |
            OPTIONS | /api/audit/ | | | 401 403 403 403 200 403 |
            *       | /api/audit/ | | | 401 403 403 403 405 403 |

            READ    | /stac | | | 200 |
            *       | /stac | | | 405 |
            READ    | /stac/ | | | 200 |
            *       | /stac/ | | | 405 |
            READ    | /stac/conformance | | | 200 |
            *       | /stac/conformance | | | 405 |
            READ    | /stac/api | | | 200 |
            *       | /stac/api | | | 405 |
            READ    | /stac/api.html | | | 200 |
            *       | /stac/api.html | | | 405 |
            READ    | /stac/queryables | | | 200 |
            *       | /stac/queryables | | | 405 |
            READ    | /stac/sortables | | | 200 |
            *       | /stac/sortables | | | 405 |
            READ    | /stac/search | | | 200 | names
            GET     | /stac/search | ?f=flatgeobuf | | 200 | names
            POST    | /stac/search | | {} | 200 | names
            *       | /stac/search | | | 405 |
            READ    | /stac/aggregations | | | 200 |
            *       | /stac/aggregations | | | 405 |
            READ    | /stac/aggregate | ?aggregations=total_count | | 200 | counts
            POST    | /stac/aggregate | | {"aggregations":["total_count"]} | 200 | counts
            *       | /stac/aggregate | | | 405 |
            GET     | /stac/changes | | | 200 | names
            HEAD    | /stac/changes | | | 200 |
            OPTIONS | /stac/changes | | | 200 |
            *       | /stac/changes | | | 405 |
            READ    | /stac/tileMatrixSets | | | 200 |
            *       | /stac/tileMatrixSets | | | 405 |
            READ    | /stac/tileMatrixSets/WebMercatorQuad | | | 200 |
            *       | /stac/tileMatrixSets/WebMercatorQuad | | | 405 |
            READ    | /stac/tiles | | | 200 |
            *       | /stac/tiles | | | 405 |
            READ    | /stac/tiles/WebMercatorQuad | | | 200 |
            *       | /stac/tiles/WebMercatorQuad | | | 405 |
            READ    | /stac/tiles/WebMercatorQuad/{z}/{y}/{x} | /stac/tiles/WebMercatorQuad/0/0/0 | | 200 | counts
            *       | /stac/tiles/WebMercatorQuad/{z}/{y}/{x} | /stac/tiles/WebMercatorQuad/0/0/0 | | 405 |
            READ    | /stac/collections | | | 200 | counts
            *       | /stac/collections | | | 405 |
            READ    | {collection} | | | 200 | counts
            *       | {collection} | | | 405 |
            READ    | {collection}/queryables | | | 200 |
            *       | {collection}/queryables | | | 405 |
            READ    | {collection}/sortables | | | 200 |
            *       | {collection}/sortables | | | 405 |
            READ    | {collection}/schema | | | 200 |
            *       | {collection}/schema | | | 405 |
            READ    | {collection}/items | | | 200 | names
            GET     | {collection}/items/{id} | {collection}/items/{item} | | 404 200 200 404 200 200 | names
            HEAD    | {collection}/items/{id} | {collection}/items/{item} | | 404 200 200 404 200 200 |
            OPTIONS | {collection}/items/{id} | {collection}/items/{item} | | 200 |
            *       | /stac/collections/areas/items | | | 405 |
            *       | /stac/collections/areas/items/{id} | /stac/collections/areas/items/{private} | | 405 |
            *       | /stac/collections/points/items | | | 405 |
            *       | /stac/collections/workspace-{workspace}/items | /stac/collections/workspace-70/items | | 405 |
            * | /stac/collections/workspace-{workspace}/items/{id} | /stac/collections/workspace-70/items/{private} | | 405 |
            *       | /stac/collections/points/items/{id} | /stac/collections/points/items/{point} | | 405 |
            POST    | {items} | | {itemhere} | 401 403 201 201 201 403 |
            POST    | {items} | | {itemallowed} | 401 403 201 201 201 201 |
            *       | {items} | | | 401 403 405 405 405 405 |
            PUT     | {items}/{id} | {items}/{newprivate} | {item} | 401 403 200 404 200 403 |
            PATCH   | {items}/{id} | {items}/{newprivate} | {} | 401 403 200 404 200 403 |
            DELETE  | {items}/{id} | {items}/{newprivate} | | 401 403 204 404 204 403 |
            PUT     | {items}/{id} | {items}/{newpublic} | {item} | 401 403 200 403 200 403 |
            PATCH   | {items}/{id} | {items}/{newpublic} | {} | 401 403 200 403 200 403 |
            DELETE  | {items}/{id} | {items}/{newpublic} | | 401 403 204 403 204 403 |
            PATCH   | {items}/{id} | {items}/{newallowed} | {} | 401 403 200 403 200 200 |
            PATCH   | {items}/{id} | {items}/{newallowed} | {"properties":{"dataset:workspace":70}} | 401 403 200 403 200 403 |
            DELETE  | {items}/{id} | {items}/{newallowed} | | 401 403 204 403 204 204 |
            *       | {items}/{id} | {items}/{private} | | 401 403 405 405 405 405 |
            READ    | {collection}/aggregations | | | 200 |
            *       | {collection}/aggregations | | | 405 |
            READ    | {collection}/aggregate | ?aggregations=total_count | | 200 | counts
            POST    | {collection}/aggregate | | {"aggregations":["total_count"]} | 200 | counts
            *       | {collection}/aggregate | | | 405 |
            READ    | {collection}/tiles | | | 200 |
            *       | {collection}/tiles | | | 405 |
            READ    | {collection}/tiles/WebMercatorQuad | | | 200 |
            *       | {collection}/tiles/WebMercatorQuad | | | 405 |
            READ    | {collection}/tiles/WebMercatorQuad/{z}/{y}/{x} | {collection}/tiles/WebMercatorQuad/0/0/0 | | 200 | counts
            *       | {collection}/tiles/WebMercatorQuad/{z}/{y}/{x} | {collection}/tiles/WebMercatorQuad/0/0/0 | | 405 |
            READ    | /tiles/tilejson.json | | | 200 |
            *       | /tiles/tilejson.json | | | 405 |
            GET     | /exports/datasets.parquet | /exports/datasets.parquet | | 404 |
            HEAD    | /exports/datasets.parquet | /exports/datasets.parquet | | 404 |
            OPTIONS | /exports/datasets.parquet | /exports/datasets.parquet | | 200 |
            *       | /exports/datasets.parquet | /exports/datasets.parquet | | 405 |
            GET     | /exports/datasets.fgb | /exports/datasets.fgb | | 404 |
            HEAD    | /exports/datasets.fgb | /exports/datasets.fgb | | 404 |
            OPTIONS | /exports/datasets.fgb | /exports/datasets.fgb | | 200 |
            *       | /exports/datasets.fgb | /exports/datasets.fgb | | 405 |
            GET     | /exports/datasets.ndjson.gz | /exports/datasets.ndjson.gz | | 404 |
            HEAD    | /exports/datasets.ndjson.gz | /exports/datasets.ndjson.gz | | 404 |
            OPTIONS | /exports/datasets.ndjson.gz | /exports/datasets.ndjson.gz | | 200 |
            *       | /exports/datasets.ndjson.gz | /exports/datasets.ndjson.gz | | 405 |
            GET     | /exports/datasets-{version}.parquet | /exports/datasets-20261129T131502Z-1a2b3c4d.parquet | | 404 |
            HEAD    | /exports/datasets-{version}.parquet | /exports/datasets-20261129T131502Z-1a2b3c4d.parquet | | 404 |
            OPTIONS | /exports/datasets-{version}.parquet | /exports/datasets-20261129T131502Z-1a2b3c4d.parquet | | 200 |
            *       | /exports/datasets-{version}.parquet | /exports/datasets-20261129T131502Z-1a2b3c4d.parquet | | 405 |
            GET     | /exports/datasets-{version}.fgb | /exports/datasets-20261129T131502Z-1a2b3c4d.fgb | | 404 |
            HEAD    | /exports/datasets-{version}.fgb | /exports/datasets-20261129T131502Z-1a2b3c4d.fgb | | 404 |
            OPTIONS | /exports/datasets-{version}.fgb | /exports/datasets-20261129T131502Z-1a2b3c4d.fgb | | 200 |
            *       | /exports/datasets-{version}.fgb | /exports/datasets-20261129T131502Z-1a2b3c4d.fgb | | 405 |
            GET     | /exports/datasets-{version}.ndjson.gz | /exports/datasets-20261129T131502Z-1a2b3c4d.ndjson.gz | | 404 |
            HEAD    | /exports/datasets-{version}.ndjson.gz | /exports/datasets-20261129T131502Z-1a2b3c4d.ndjson.gz | | 404 |
            OPTIONS | /exports/datasets-{version}.ndjson.gz | /exports/datasets-20261129T131502Z-1a2b3c4d.ndjson.gz | | 200 |
            *       | /exports/datasets-{version}.ndjson.gz | /exports/datasets-20261129T131502Z-1a2b3c4d.ndjson.gz | | 405 |
            READ    | /tiles/{z}/{x}/{y}.mvt | /tiles/0/0/0.mvt | | 200 | counts
            *       | /tiles/{z}/{x}/{y}.mvt | /tiles/0/0/0.mvt | | 405 |

            GET     | / | | | 302 |
            HEAD    | / | | | 302 |
            OPTIONS | / | | | 200 |
            *       | / | | | 405 |
            READ    | /datasets/ | | | 200 | names
            *       | /datasets/ | | | 405 |
            GET     | /datasets/{id}/ | /datasets/{private}/ | | 404 200 200 404 200 200 | names
            GET     | /datasets/{id}/ | /datasets/{draft}/ | | 404 200 200 404 200 200 | names
            HEAD    | /datasets/{id}/ | /datasets/{private}/ | | 404 200 200 404 200 200 |
            OPTIONS | /datasets/{id}/ | /datasets/{private}/ | | 200 |
            *       | /datasets/{id}/ | /datasets/{private}/ | | 405 |
            READ    | /datasets/changes/ | | | 200 | names
            READ    | /datasets/changes/ | ?format=atom | | 200 | names
            *       | /datasets/changes/ | | | 405 |
            READ    | /datasets/grid/ | ?in_bbox=-180,-85,180,85 | | 200 | counts
            *       | /datasets/grid/ | | | 405 |
            READ    | /datasets/suggest/ | ?q=hiddenmat | | 200 | names
            *       | /datasets/suggest/ | | | 405 |
            READ    | /datasets/tokens/ | | | 200 |
            READ    | /datasets/tokens/ | ?user=7 | | 200 |
            *       | /datasets/tokens/ | | | 405 |
            READ    | /datasets/accounts/ | | | 200 |
            *       | /datasets/accounts/ | | | 405 |
            GET     | /datasets/language/ | ?language=de | | 303 |
            HEAD    | /datasets/language/ | ?language=de | | 303 |
            OPTIONS | /datasets/language/ | | | 200 |
            *       | /datasets/language/ | | | 405 |
            READ    | /datasets/signed-in/ | | | 200 |
            *       | /datasets/signed-in/ | | | 405 |
            READ    | /datasets/new/ | | | 200 |
            *       | /datasets/new/ | | | 405 |
            READ    | /datasets/drafts/ | | | 200 |
            *       | /datasets/drafts/ | | | 405 |
            READ    | /datasets/deleted/ | | | 200 |
            *       | /datasets/deleted/ | | | 405 |
            GET     | /datasets/{id}/edit/ | /datasets/{private}/edit/ | | 404 200 200 404 200 200 |
            GET     | /datasets/{id}/edit/ | /datasets/{draft}/edit/ | | 404 200 200 404 200 200 |
            GET     | /datasets/{id}/edit/ | /datasets/{public}/edit/ | | 200 |
            HEAD    | /datasets/{id}/edit/ | /datasets/{private}/edit/ | | 404 200 200 404 200 200 |
            OPTIONS | /datasets/{id}/edit/ | /datasets/{private}/edit/ | | 200 |
            *       | /datasets/{id}/edit/ | /datasets/{private}/edit/ | | 405 |
            READ    | /docs/ | | | 200 |
            *       | /docs/ | | | 405 |
            READ    | /docs/openapi.yaml | | | 200 |
            *       | /docs/openapi.yaml | | | 405 |
            READ    | /robots.txt | | | 200 |
            *       | /robots.txt | | | 405 |
            READ    | /sitemap.xml | | | 200 |
            *       | /sitemap.xml | | | 405 |
            READ    | /sitemap-{id}.xml | /sitemap-1.xml | | 200 |
            *       | /sitemap-{id}.xml | /sitemap-1.xml | | 405 |
            """;

    /** Files of the package, which contain nothing of the database. */
    private static final Pattern FILE = Pattern.compile("/(assets|stac/api)/([{]id[}]/)?[^/]+\\.(js|css|svg|json)");

    /** What differs between two responses with the same datasets. */
    private static final Pattern VOLATILE = Pattern.compile("\"(timeStamp|as_of|cursor|next)\":\"[^\"]*\"");

    /** The text of a position is another one each time. */
    private static final Pattern POSITION = Pattern.compile("(since|cursor|token)=[\\w.%-]{20,}");

    private static final boolean IS_LONG = RandomTests.times(0, 1) > 0;
    private static final int WORKSPACE = 70;
    private static final int ALLOWED = 71;

    @Inject
    Catalogue catalogue;

    @Inject
    Endpoints endpoints;

    private final Map<Who, Caller> callers = new EnumMap<>(Who.class);
    private final AtomicInteger numbers = new AtomicInteger();
    private long token;

    private record Row(String method, String path, String target, String body, List<Integer> statuses, String shows) {

        int status(Who who) {
            return statuses.size() == 1 ? statuses.get(0) : statuses.get(who.ordinal());
        }
    }

    @BeforeEach
    void addDatasetsAndCallers() {
        Dataset deleted = privateDataset(5, new double[0], new double[]{1, 2});
        deleted.isDeleted = true;
        catalogue.replaceWith(dataset(1), deleted,
                privateDataset(2, new double[]{10, 10, 11, 11}, new double[]{10.5, 10.5}),
                privateDataset(3, new double[0], new double[]{-20, 30}), privateDataset(4, new double[0], null));
        catalogue.fold();
        Caller owner = Caller.owner();
        callers.put(Who.ANONYMOUS, Caller.anonymous());
        callers.put(Who.READER, owner.token("reader"));
        callers.put(Who.WRITER, owner.token("writer"));
        callers.put(Who.OTHER, Caller.writer("Another"));
        callers.put(Who.ADMIN, Caller.admin());
        callers.put(Who.SCOPED, owner.holding(callers.get(Who.WRITER)
                .post(Caller.TOKENS, "{\"right\":\"writer\",\"workspaces\":[" + ALLOWED + "]}").path("key")));
        token = newToken();
    }

    private static Dataset privateDataset(long id, double[] bbox, double[] coordinates) {
        return dataset(id, d -> {
            d.datasetName = HIDDEN;
            d.availableRasters = new String[]{"ortho"};
            d.isPrivate = true;
            d.capturedDate = Instant.parse("1999-01-0" + id + "T00:00:00Z");
            d.bbox = bbox;
            d.coordinates = coordinates;
        });
    }

    /** The rows that compare what responses show come first, because other rows add datasets. */
    private static List<Row> rows() {
        return MATRIX.lines().filter(line -> !line.isBlank()).flatMap(RightsMatrixTest::collections)
                .map(RightsMatrixTest::row).sorted(Comparator.comparing(row -> row.shows.isEmpty())).toList();
    }

    /** A line for each collection, if the line is about collections. The items of one of them are points. */
    private static Stream<String> collections(String line) {
        return !line.contains("{collection}")
                ? Stream.of(line.replace("{items}", Endpoints.STAC + Endpoints.COLLECTION + Endpoints.ITEMS))
                : Stream.concat(
                        Endpoints.COLLECTION_IDS.stream()
                                .map(id -> line.replace("{collection}", "/stac/collections/" + id)
                                        .replace("{item}", id.equals("points") ? "{point}" : "{private}")),
                        Stream.of(ofWorkspace(line)));
    }

    /** The line of the workspace that all private datasets are in, beside public ones. */
    private static String ofWorkspace(String line) {
        String[] cells = line.split("\\|", -1);
        String target = cells[2].strip();
        cells[2] = (target.contains("{collection}") ? target : cells[1].strip() + target)
                .replace("{collection}", "/stac/collections/workspace-70").replace("{item}", "{private}");
        cells[1] = cells[1].replace("{collection}", Endpoints.STAC + Endpoints.COLLECTION_OF_WORKSPACE);
        return String.join("|", cells);
    }

    private static Row row(String line) {
        String[] cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toArray(String[]::new);
        assertEquals(6, cells.length, line);
        List<Integer> statuses = Arrays.stream(cells[4].split(" ")).map(Integer::valueOf).toList();
        assertTrue(statuses.size() == 1 || statuses.size() == Who.values().length, line);
        return new Row(cells[0], cells[1],
                cells[2].isEmpty() ? cells[1] : cells[2].startsWith("?") ? cells[1] + cells[2] : cells[2], cells[3],
                statuses, cells[5]);
    }

    /** The methods of a row. */
    private static List<String> methods(Row row, Endpoint endpoint) {
        return switch (row.method) {
            case READ -> List.of("GET", "HEAD", "OPTIONS");
            case OTHERS -> METHODS.stream().filter(method -> !endpoint.allows(method)).toList();
            default -> List.of(row.method);
        };
    }

    private List<Endpoint> withData() {
        return endpoints.all().stream().filter(endpoint -> !FILE.matcher(endpoint.path()).matches()).toList();
    }

    @Test
    void eachMethodOfEachEndpointHasARow() {
        List<Row> rows = rows();
        TreeSet<String> missing = new TreeSet<>();
        for (Endpoint endpoint : withData()) {
            List<String> tested = rows.stream().filter(row -> row.path.equals(endpoint.path()))
                    .flatMap(row -> methods(row, endpoint).stream()).toList();
            METHODS.stream().filter(method -> !tested.contains(method))
                    .forEach(method -> missing.add(method + ' ' + endpoint.path()));
        }
        assertEquals(new TreeSet<>(), missing, "without a row");
        List<String> paths = endpoints.all().stream().map(Endpoint::path).toList();
        assertEquals(List.of(), rows.stream().map(Row::path).filter(path -> !paths.contains(path)).toList());
    }

    @Test
    void eachCallerMayDoWhatItsRowSays() {
        List<String> wrong = new ArrayList<>();
        Random random = new Random(RandomTests.seed());
        Map<String, Endpoint> byPath = new HashMap<>();
        endpoints.all().forEach(endpoint -> byPath.put(endpoint.path(), endpoint));
        for (Row row : rows()) {
            for (String method : asked(row, methods(row, byPath.get(row.path)), random)) {
                String anonymous = null;
                for (Who who : callers(row, random)) {
                    Response response = send(row, method, who);
                    String cell = method + ' ' + row.target + ' ' + row.body + " as " + who;
                    if (response.statusCode() != row.status(who)) {
                        wrong.add(cell + ": " + response.statusCode() + " instead of " + row.status(who));
                    }
                    if (!allow(byPath.get(row.path), method, who, response).contains(response.header("Allow"))) {
                        wrong.add(cell + " allows " + response.header("Allow"));
                    }
                    String shown = shown(response);
                    anonymous = who == Who.ANONYMOUS ? shown : anonymous;
                    check(row, method, who, shown, anonymous).forEach(error -> wrong.add(cell + error));
                }
            }
        }
        assertEquals("", String.join("\n", wrong));
    }

    /** The methods that a response may name: of OPTIONS and of 405 all that the endpoint has, or that the caller may use. */
    private static List<String> allow(Endpoint endpoint, String method, Who who, Response response) {
        boolean mayWrite = who != Who.ANONYMOUS && who != Who.READER;
        return response.statusCode() == 405
                ? Arrays.asList(endpoint.allow())
                : method.equals("OPTIONS") && response.statusCode() == 200
                        ? Arrays.asList(mayWrite ? endpoint.allow() : endpoint.allowOfReaders())
                        : Arrays.asList(endpoint.allow(), endpoint.allowOfReaders(), null);
    }

    /** Caches ask again with the tag of what they have. */
    @Test
    void headHasTheHeadersOfGetAndATagNamesWhatTheCallerSees() {
        List<String> wrong = new ArrayList<>();
        Map<String, Response> before = new TreeMap<>();
        for (Row row : rows()) {
            for (Who who : List.of(Who.ANONYMOUS, Who.ADMIN)) {
                if (row.status(who) != 200 || !row.method.equals(READ) && !row.method.equals("GET")) {
                    continue;
                }
                Caller caller = callers.get(who);
                String target = fill(row.target, caller);
                Response get = caller.get(target);
                Response head = caller.request().head(target);
                if (head.asByteArray().length > 0 || !headers(head, get).equals(headers(get, get))) {
                    wrong.add(target + " as " + who + ": " + headers(get, get) + "\nHEAD " + headers(head, get));
                }
                String tag = get.header("ETag");
                if (tag != null) {
                    Response known = knowing(tag, target, caller);
                    if (known.statusCode() != 304 || !tag.equals(known.header("ETag"))
                            || known.asByteArray().length > 0) {
                        wrong.add(target + " as " + who + " with its tag: " + known.statusCode());
                    }
                    if (who == Who.ANONYMOUS) {
                        before.put(target, get);
                    }
                }
            }
        }
        Caller.admin().patch(Listing.PATH + "1/", "{\"is_private\":true}").then().statusCode(200);
        catalogue.fold();
        int changed = 0;
        for (Map.Entry<String, Response> old : before.entrySet()) {
            Caller caller = Caller.anonymous();
            if (!POSITION.matcher(shown(caller.get(old.getKey()))).replaceAll("")
                    .equals(POSITION.matcher(shown(old.getValue())).replaceAll(""))) {
                changed++;
                if (knowing(old.getValue().header("ETag"), old.getKey(), caller).statusCode() == 304) {
                    wrong.add(old.getKey() + " has changed, and its tag has not");
                }
            }
        }
        assertEquals("", String.join("\n", wrong));
        assertTrue(changed > 30, changed + " responses changed");
    }

    private static Response knowing(String tag, String target, Caller caller) {
        return caller.request().header("If-None-Match", tag).get(target);
    }

    /**
     * The headers that GET has too, without those that differ between equal responses. The length of a stream is not known, nor
     * where it ends; a response without a tag may leave its length out.
     */
    private static Map<String, String> headers(Response response, Response get) {
        Map<String, String> headers = new TreeMap<>();
        response.headers().asList().stream().filter(header -> get.headers().hasHeaderWithName(header.getName()))
                .forEach(header -> headers.merge(header.getName().toLowerCase(Locale.ROOT), header.getValue(),
                        (one, other) -> one + ", " + other));
        headers.keySet().removeAll(List.of("date", "x-request-id", "transfer-encoding"));
        if (get.header("ETag") == null) {
            headers.keySet().removeAll(List.of("content-length", "link"));
        }
        headers.computeIfPresent("link", (name, links) -> POSITION.matcher(links).replaceAll(""));
        return headers;
    }

    /** Of the methods that an endpoint does not have, a short run sends one. */
    private static List<String> asked(Row row, List<String> methods, Random random) {
        return IS_LONG || !row.method.equals(OTHERS) || methods.isEmpty()
                ? methods
                : List.of(methods.get(random.nextInt(methods.size())));
    }

    /** What is the same for all callers and shows nothing of the database is asked by two of them, in a long run by all. */
    private static List<Who> callers(Row row, Random random) {
        return IS_LONG || row.statuses.size() > 1 || !row.shows.isEmpty()
                ? List.of(Who.values())
                : List.of(Who.ANONYMOUS, Who.values()[1 + random.nextInt(Who.values().length - 1)]);
    }

    private static List<String> check(Row row, String method, Who who, String shown, String anonymous) {
        boolean hasContent = row.status(who) == 200 && (method.equals("GET") || method.equals("POST"));
        if (!who.seesPrivate() && shown.contains(HIDDEN)) {
            return List.of(" sees a private dataset");
        }
        if (hasContent && row.shows.equals("names") && who.seesPrivate() && !shown.contains(HIDDEN)) {
            return List.of(" does not see the private datasets");
        }
        if (hasContent && row.shows.equals("counts") && who != Who.ANONYMOUS
                && shown.equals(anonymous) == who.seesPrivate()) {
            return List.of(who.seesPrivate() ? " does not count private datasets" : " counts private datasets");
        }
        return List.of();
    }

    private static String shown(Response response) {
        return VOLATILE.matcher(new String(response.asByteArray(), StandardCharsets.ISO_8859_1)).replaceAll("");
    }

    private Response send(Row row, String method, Who who) {
        Caller caller = callers.get(who);
        String target = fill(row.target, caller);
        RequestSpecification request = caller.request();
        if (row.body.equals("image")) {
            request.contentType("image/png").body(Images.of("image/png", 100));
        } else if (row.body.equals("lines")) {
            request.contentType("application/x-ndjson").body("[]\n".getBytes(StandardCharsets.UTF_8));
        } else if (!row.body.isEmpty()) {
            request.contentType(Caller.JSON).body(fill(row.body, caller).getBytes(StandardCharsets.UTF_8));
        }
        return request.request(method, target);
    }

    private String fill(String text, Caller caller) {
        Matcher name = Pattern.compile("[{]([a-z]+)[}]").matcher(text);
        return name.replaceAll(found -> switch (found.group(1)) {
            case "public" -> "1";
            case "private" -> "2";
            case "point" -> "3";
            case "draft" -> "4";
            case "newprivate" -> newDataset(WORKSPACE, true);
            case "newdeleted" -> deleted(newDataset(WORKSPACE, true));
            case "owner" -> Long.toString(Catalogue.OWNER.id());
            case "newpublic" -> newDataset(WORKSPACE, false);
            case "newallowed" -> newDataset(ALLOWED, false);
            case "token" -> Long.toString(token);
            case "newtoken" -> Long.toString(newToken());
            case "cursor" -> positionOf(caller);
            case "item" -> item("");
            case "itemhere" -> item("\"dataset:workspace\":" + WORKSPACE);
            case "itemallowed" -> item("\"dataset:workspace\":" + ALLOWED);
            case "n" -> Integer.toString(numbers.incrementAndGet());
            default -> throw new IllegalArgumentException(found.group());
        });
    }

    private static String item(String properties) {
        return "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[2,1]},\"properties\":{"
                + "\"datetime\":\"2026-05-06T07:08:09Z\"" + (properties.isEmpty() ? "" : ',' + properties) + "}}";
    }

    /** The position behind all changes. */
    private String positionOf(Caller caller) {
        catalogue.fold();
        return caller.get(Listing.PATH + "changes/?limit=1000").path("next");
    }

    /** The id of a new dataset of the owner. */
    private String newDataset(int workspace, boolean isPrivate) {
        long id = callers.get(Who.WRITER).create("{\"workspace\":" + workspace + ",\"is_private\":" + isPrivate
                + ",\"coordinates\":[1,2]}");
        return Long.toString(id);
    }

    private String deleted(String id) {
        callers.get(Who.WRITER).delete(Listing.PATH + id + '/').then().statusCode(204);
        return id;
    }

    /** The id of a new token of the owner. */
    private long newToken() {
        return callers.get(Who.WRITER).post(Caller.TOKENS, "{\"right\":\"writer\"}").jsonPath().getLong("id");
    }

    /** One caller reads each file whole: some are large. A short run sends two of the other methods. */
    @Test
    void allCallersMayReadTheFilesOfThePackage() {
        List<String> wrong = new ArrayList<>();
        Random random = new Random(RandomTests.seed());
        endpoints.all().stream().map(Endpoint::path).filter(path -> FILE.matcher(path).matches()).forEach(path -> {
            for (Who who : IS_LONG ? List.of(Who.values()) : List.of(Who.ANONYMOUS, Who.ADMIN)) {
                String one = METHODS.get(1 + random.nextInt(METHODS.size() - 1));
                for (String method : METHODS) {
                    if (method.equals("GET") ? who != Who.ANONYMOUS : !IS_LONG && !method.equals(one)) {
                        continue;
                    }
                    int status = callers.get(who).request().request(method, path.replaceAll("\\{(id|x)}", "1"))
                            .statusCode();
                    if (status != (METHODS.indexOf(method) < 3 ? 200 : 405)) {
                        wrong.add(method + ' ' + path + " as " + who + ": " + status);
                    }
                }
            }
        });
        assertEquals(List.of(), wrong);
    }
}
