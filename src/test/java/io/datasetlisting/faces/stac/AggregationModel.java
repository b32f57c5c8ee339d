package io.datasetlisting.faces.stac;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.catalogue.facet.CalendarModel;
import io.datasetlisting.catalogue.grid.GridModel;
import io.datasetlisting.dataset.Dataset;

/**
 * What aggregations find, computed from items.
 *
 * @param geohash
 *            length of the geohashes
 * @param zoom
 *            of the tiles
 */
public record AggregationModel(List<String> names, String interval, int geohash, int zoom) {

    static final List<String> NAMES = List.of("total_count", "datetime_max", "datetime_min", "datetime_frequency",
            "dataset_category_frequency", "dataset_rasters_frequency", "dataset_bands_frequency",
            "dataset_user_frequency", "centroid_geohash_grid_frequency", "centroid_geotile_grid_frequency");

    private static final List<String> INTERVALS = List.of("day", "week", "month", "quarter", "year");
    private static final int MAX_BUCKETS = 10_000;

    public static AggregationModel any(Random random) {
        List<String> names = new ArrayList<>(NAMES);
        Collections.shuffle(names, random);
        return new AggregationModel(names.subList(0, random.nextInt(NAMES.size() + 1)),
                INTERVALS.get(random.nextInt(INTERVALS.size())), 1 + random.nextInt(12),
                random.nextInt(30));
    }

    /** What aggregations read of a dataset, as its item has it. */
    public static JsonNode item(Dataset dataset, List<String> bands) {
        ObjectNode item = JsonNodeFactory.instance.objectNode();
        DoubleStream.of(GridModel.footprint(dataset)).forEach(item.putArray("bbox")::add);
        ObjectNode properties = item.putObject("properties").put("datetime", dataset.capturedDate.toString())
                .put("dataset:user", dataset.ownerName);
        Stream.of(dataset.category).forEach(properties.putArray("dataset:category")::add);
        Stream.of(dataset.availableRasters).forEach(properties.putArray("dataset:rasters")::add);
        bands.forEach(properties.putArray("dataset:bands")::add);
        return item;
    }

    /** The parameters of a query. */
    public List<String> query() {
        return List.of("aggregations=" + String.join(",", names), "datetime_frequency_interval=" + interval,
                "centroid_geohash_grid_frequency_precision=" + geohash,
                "centroid_geotile_grid_frequency_precision=" + zoom);
    }

    /** Adds the parameters to a body. */
    public ObjectNode addTo(ObjectNode body) {
        names.forEach(body.putArray("aggregations")::add);
        return body.put("datetime_frequency_interval", interval)
                .put("centroid_geohash_grid_frequency_precision", geohash)
                .put("centroid_geotile_grid_frequency_precision", zoom);
    }

    /** The member {@code aggregations} of the response. */
    public JsonNode of(List<JsonNode> items) {
        return JsonNodeFactory.instance.arrayNode().addAll(names.stream().map(name -> of(name, items)).toList());
    }

    private JsonNode of(String name, List<JsonNode> items) {
        ObjectNode one = JsonNodeFactory.instance.objectNode().put("name", name);
        return switch (name) {
            case "total_count" -> one.put("data_type", "integer").put("value", items.size());
            case "datetime_max" -> one.put("data_type", "datetime").put("value",
                    times(items).max(Comparator.naturalOrder()).map(Instant::toString).orElse(null));
            case "datetime_min" -> one.put("data_type", "datetime").put("value",
                    times(items).min(Comparator.naturalOrder()).map(Instant::toString).orElse(null));
            case "datetime_frequency" -> ofTime(one, items);
            case "dataset_category_frequency" -> largest(one, items, item -> texts(item, "dataset:category"));
            case "dataset_rasters_frequency" -> largest(one, items, item -> texts(item, "dataset:rasters"));
            case "dataset_bands_frequency" -> largest(one, items, item -> texts(item, "dataset:bands"));
            case "dataset_user_frequency" -> largest(one, items,
                    item -> Stream.of(item.at("/properties/dataset:user").textValue()));
            case "centroid_geohash_grid_frequency" -> largest(one, items,
                    item -> Stream.of(geohash(middle(item, 0), middle(item, 1))));
            default -> largest(one, items, item -> Stream.of(tile(middle(item, 0), middle(item, 1))));
        };
    }

    private static Stream<Instant> times(List<JsonNode> items) {
        return items.stream().map(item -> Instant.parse(item.at("/properties/datetime").textValue()));
    }

    private static Stream<String> texts(JsonNode item, String property) {
        return StreamSupport.stream(item.path("properties").path(property).spliterator(), false)
                .map(JsonNode::textValue).distinct();
    }

    private static double middle(JsonNode item, int axis) {
        return (item.path("bbox").get(axis).doubleValue() + item.path("bbox").get(axis + 2).doubleValue()) / 2;
    }

    private JsonNode ofTime(ObjectNode one, List<JsonNode> items) {
        CalendarModel counted = CalendarModel.of(
                times(items).map(time -> LocalDate.ofInstant(time, ZoneOffset.UTC)).toList(),
                INTERVALS.subList(INTERVALS.indexOf(interval), INTERVALS.size()), MAX_BUCKETS);
        one.put("interval", counted.interval());
        if (counted.isSparse()) {
            one.put("empty_left_out", true);
        }
        TreeMap<String, Long> texts = new TreeMap<>();
        counted.counts().forEach((day, count) -> texts.put(day + "T00:00:00.000Z", count));
        return buckets(one, "datetime", texts.entrySet());
    }

    private static JsonNode largest(ObjectNode one, List<JsonNode> items, Function<JsonNode, Stream<String>> keys) {
        return buckets(one, "string",
                items.stream().flatMap(keys).collect(Collectors.groupingBy(key -> key, Collectors.counting()))
                        .entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                        .toList());
    }

    private static JsonNode buckets(ObjectNode one, String type, Collection<Map.Entry<String, Long>> counts) {
        one.put("data_type", "frequency_distribution").put("overflow", 0).putArray("buckets");
        counts.forEach(count -> one.withArray("buckets").addObject().put("key", count.getKey()).put("data_type", type)
                .put("frequency", count.getValue().intValue()));
        return one;
    }

    /** By halves, as the definition says. */
    private String geohash(double longitude, double latitude) {
        double[] low = {-180, -90};
        double[] high = {180, 90};
        double[] point = {longitude, latitude};
        StringBuilder hash = new StringBuilder();
        for (int bit = 0, digit = 0; bit < 5 * geohash; bit++) {
            int axis = bit % 2;
            double middle = (low[axis] + high[axis]) / 2;
            boolean isUpper = point[axis] >= middle;
            (isUpper ? low : high)[axis] = middle;
            digit = digit * 2 + (isUpper ? 1 : 0);
            if (bit % 5 == 4) {
                hash.append("0123456789bcdefghjkmnpqrstuvwxyz".charAt(digit));
                digit = 0;
            }
        }
        return hash.toString();
    }

    /** By the formula of the projection with tangent and hyperbolic sine. */
    private String tile(double longitude, double latitude) {
        double tiles = Math.pow(2, zoom);
        double limit = Math.toDegrees(Math.atan(Math.sinh(Math.PI)));
        double inside = Math.max(-limit, Math.min(limit, latitude));
        double tangent = Math.tan(Math.toRadians(inside));
        double northing = Math.signum(tangent) * Math.log(Math.abs(tangent) + Math.hypot(tangent, 1));
        double row = (1 - northing / Math.PI) / 2 * tiles;
        return zoom + "/" + place((longitude + 180) / 360 * tiles) + "/" + place(row);
    }

    private long place(double value) {
        return (long) Math.max(0, Math.min(Math.pow(2, zoom) - 1, Math.floor(value)));
    }
}
