package io.datasetlisting.faces.stac;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.aggregation.AggregationRequest;
import io.datasetlisting.catalogue.search.Search;
import io.datasetlisting.catalogue.search.SortKey;
import io.datasetlisting.dataset.cql2.Cql2Json;
import io.datasetlisting.dataset.cql2.Cql2Text;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.GeometryReader;
import io.datasetlisting.dataset.cql2.Limits;
import io.datasetlisting.faces.collection.ItemCollection;
import io.datasetlisting.faces.item.DatetimeInterval;
import io.datasetlisting.faces.item.FreeTextTerms;
import io.datasetlisting.faces.item.ItemFields;
import io.datasetlisting.faces.item.ItemProperties;
import io.datasetlisting.faces.item.SearchQuery;
import io.datasetlisting.faces.item.SearchValues;
import io.datasetlisting.faces.item.StacConfig;
import io.datasetlisting.http.paging.Ordering;

/**
 * Parses the JSON body of a search. Each member that the search does not know, or whose value is malformed, is refused with
 * 400; null is the same as no member.
 *
 * @see <a href="https://github.com/radiantearth/stac-api-spec/blob/v1.0.0/item-search/README.md">STAC API, Item Search</a>
 */
@Singleton
class SearchBody {

    /** The parameters of the items of a collection. pystac-client names the collection once more. */
    static final Set<String> ITEM_PARAMETERS = Set.of("limit", "bbox", "datetime", "filter", "filter-lang",
            "filter-crs", "sortby", "fields", "token", "collections", "q");
    /** The parameters of a search: these of items and two others. */
    static final Set<String> SEARCH_PARAMETERS;
    /** The parameters that select datasets. */
    static final Set<String> FILTER_PARAMETERS;
    /** The parameters of aggregations: the conditions of a search and others. */
    static final Set<String> AGGREGATION_PARAMETERS;

    static {
        Set<String> all = new HashSet<>(ITEM_PARAMETERS);
        all.addAll(List.of("ids", "intersects"));
        SEARCH_PARAMETERS = Set.copyOf(all);
        all.removeAll(List.of("limit", "sortby", "fields", "token"));
        FILTER_PARAMETERS = Set.copyOf(all);
        all.addAll(AggregationRequest.PARAMETERS);
        AGGREGATION_PARAMETERS = Set.copyOf(all);
    }

    /** Properties and values of a filter. */
    private static final int MAX_NODES = 2_000;
    private static final String CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
    private static final Pattern ID = Pattern.compile("[1-9]\\d{0,17}|0");

    private final ItemProperties properties;
    private final Limits limits;

    SearchBody(ItemProperties properties, StacConfig config) {
        this.properties = properties;
        limits = limits(config);
    }

    /** The bounds of a filter and of a geometry. */
    static Limits limits(StacConfig config) {
        return new Limits(config.maxFilterDepth(), config.maxFilterLength(), MAX_NODES, config.maxVertices(),
                config.maxPatterns());
    }

    /**
     * A search as a client sends it.
     *
     * @param search
     *            from the start of all items
     * @param fields
     *            null for whole items
     * @param token
     *            of another page; null for the first one
     * @param identity
     *            text of all that the pages of this search have in common: everything except the limit. It is made of names
     *            and values alone, because each instance reads the tokens of the others. Writing a geometry takes time, so the
     *            parser makes it, which is not on the event loop then
     */
    record Request(Search search, ItemFields fields, String token, String identity) {

        private static Request of(Search search, ItemFields fields, String token) {
            return new Request(search, fields, token, search.ordering() + "\n" + search.filter() + '\n' + fields);
        }
    }

    /**
     * @param in
     *            the collection that is searched
     *
     * @throws ApiException
     *             400 for a malformed search
     */
    Request parse(ObjectNode body, ItemCollection in) {
        prepare(body, SEARCH_PARAMETERS);
        return Request.of(new Search(filter(body, in), ordering(body), SearchValues.limit(body), Search.Position.START),
                fields(body.get("fields")), body.has("token") ? SearchValues.text(body, "token") : null);
    }

    /**
     * @param in
     *            the collection whose items are aggregated
     *
     * @throws ApiException
     *             400 for a malformed request
     */
    AggregationRequest parseAggregation(ObjectNode body, ItemCollection in) {
        prepare(body, AGGREGATION_PARAMETERS);
        return AggregationRequest.of(filter(body, in), body);
    }

    /** Refuses unknown members, and removes those without a value. */
    private static void prepare(ObjectNode body, Set<String> allowed) {
        for (Map.Entry<String, JsonNode> member : body.properties()) {
            if (!allowed.contains(member.getKey())) {
                throw new ApiException(400,
                        "There is no parameter \"" + ApiException.shorten(member.getKey()) + "\".");
            }
        }
        body.properties().removeIf(member -> member.getValue().isNull()
                || isEmpty(member.getKey(), member.getValue()));
    }

    private static boolean isEmpty(String name, JsonNode value) {
        return switch (name) {
            case "ids", "collections" -> value.isArray() && value.isEmpty();
            case "intersects" -> value.isObject() && value.isEmpty();
            case "filter" -> value.isObject() && value.isEmpty() || value.isTextual() && value.textValue().isBlank();
            default -> false;
        };
    }

    private Expression filter(ObjectNode body, ItemCollection in) {
        List<Expression> conditions = in.and(List.of());
        if (body.has("bbox")) {
            if (body.has("intersects")) {
                throw SearchValues.refuse("bbox", "a search has either bbox or intersects.");
            }
            double[] corners = SearchValues.corners(body.get("bbox"));
            boolean hasElevation = corners.length == 6;
            conditions.add(new Expression.Box(corners[0], corners[1], corners[hasElevation ? 3 : 2],
                    corners[hasElevation ? 4 : 3]));
            if (hasElevation && (corners[2] > 0 || corners[5] < 0)) {
                // All items are at elevation 0.
                conditions.add(new Expression.Constant(false));
            }
        }
        if (body.has("datetime")) {
            conditions.addAll(DatetimeInterval.parse(SearchValues.text(body, "datetime"))
                    .of(properties.queryables().get("datetime")));
        }
        if (body.has("ids")) {
            conditions.add(new Expression.Ids(SearchValues.texts("ids", body.get("ids")).stream()
                    .filter(id -> ID.matcher(id).matches()).map(Long::valueOf).distinct().toList()));
        }
        if (body.has("collections")) {
            conditions.addAll(in.named(SearchValues.texts("collections", body.get("collections"))));
        }
        if (body.has("intersects")) {
            conditions.add(new Expression.Intersects(
                    new GeometryReader(limits, "intersects").read(body.get("intersects"))));
        }
        List<String> terms = body.has("q") ? FreeTextTerms.parse(body.get("q")) : List.of();
        if (!terms.isEmpty()) {
            conditions.add(new Expression.FreeText(terms));
        }
        Expression cql2 = cql2(body);
        if (cql2 != null) {
            conditions.add(cql2);
        }
        return Expression.and(conditions);
    }

    private Expression cql2(ObjectNode body) {
        String language = body.has("filter-lang") ? SearchValues.text(body, "filter-lang") : SearchQuery.CQL2_JSON;
        if (!language.equals(SearchQuery.CQL2_TEXT) && !language.equals(SearchQuery.CQL2_JSON)) {
            throw SearchValues.refuse("filter-lang",
                    "\"" + SearchQuery.CQL2_TEXT + "\" or \"" + SearchQuery.CQL2_JSON + "\" is expected.");
        }
        if (body.has("filter-crs") && !SearchValues.text(body, "filter-crs").equals(CRS84)) {
            throw SearchValues.refuse("filter-crs", "the only coordinate reference system is " + CRS84 + ".");
        }
        if (!body.has("filter")) {
            return null;
        }
        return language.equals(SearchQuery.CQL2_TEXT)
                ? new Cql2Text(properties.queryables(), limits).parse(SearchValues.text(body, "filter"))
                : new Cql2Json(properties.queryables(), limits).parse(body.get("filter"));
    }

    private List<SortKey> ordering(ObjectNode body) {
        List<Ordering.Key> keys = new ArrayList<>();
        if (body.has("sortby")) {
            if (!body.get("sortby").isArray()) {
                throw SearchValues.refuse("sortby", "an array is expected.");
            }
            body.get("sortby").forEach(term -> keys.add(sortKey(term)));
        }
        return Ordering.of(keys).keys().stream()
                .map(key -> new SortKey(properties.sortables().get(key.field()), key.descending())).toList();
    }

    private Ordering.Key sortKey(JsonNode term) {
        String name = term.path("field").textValue();
        String direction = term.has("direction") ? term.get("direction").textValue() : "asc";
        if (name == null || !"asc".equals(direction) && !"desc".equals(direction)) {
            throw SearchValues.refuse("sortby", "a field, and the direction asc or desc, are expected.");
        }
        if (!properties.sortables().containsKey(bare(name))) {
            throw SearchValues.refuse("sortby",
                    "\"" + ApiException.shorten(name) + "\" is no property that a search can be sorted by.");
        }
        return new Ordering.Key(bare(name), direction.equals("desc"));
    }

    private static String bare(String name) {
        return name.startsWith("properties.") ? name.substring("properties.".length()) : name;
    }

    private static ItemFields fields(JsonNode fields) {
        if (fields == null) {
            return null;
        }
        if (!fields.isObject() || !Set.of("include", "exclude").containsAll(names(fields))) {
            throw SearchValues.refuse("fields", "an object with the arrays include and exclude is expected.");
        }
        return ItemFields.of(names(fields, "include"), names(fields, "exclude"));
    }

    private static List<String> names(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).toList();
    }

    private static List<String> names(JsonNode fields, String member) {
        return fields.hasNonNull(member) ? SearchValues.texts("fields", fields.get(member)) : List.of();
    }
}
