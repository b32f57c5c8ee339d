package io.datasetlisting.catalogue.facet;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Counts facets and histograms in Java. */
public final class FacetModel {

    /** The facets, each with the parameters that choose from it. */
    public static final Map<String, List<String>> PARAMETERS = Map.of("category", List.of("category"),
            "available_rasters", List.of("available_rasters"), "has_stats", List.of("has_stats"), "band",
            List.of("band"), "user", List.of("user"), "year", List.of("captured_after", "captured_before"));

    private final Comparator<String> nameOrder;

    public FacetModel(Comparator<String> nameOrder) {
        this.nameOrder = nameOrder;
    }

    /** The choices of a facet. */
    public JsonArray choices(String facet, List<Dataset> matching) {
        return switch (facet) {
            case "category" -> fixed(DatasetFields.CATEGORIES, count(matching, d -> Stream.of(d.category)));
            case "available_rasters" -> fixed(DatasetFields.RASTERS,
                    count(matching, d -> Stream.of(d.availableRasters)));
            case "has_stats" -> fixed(DatasetFields.RASTERS, count(matching, d -> Known.of(d).rasters.stream()));
            case "band" -> sorted(count(matching, d -> bands(d).stream()), Comparator.<String>naturalOrder());
            case "user" -> users(matching);
            case "year" -> sorted(count(matching, d -> Stream.of(day(d).toString().substring(0, 4))),
                    Comparator.<String>naturalOrder());
            default -> throw new IllegalArgumentException(facet);
        };
    }

    private static Map<String, Long> count(List<Dataset> matching, Function<Dataset, Stream<String>> values) {
        return matching.stream().flatMap(d -> values.apply(d).distinct())
                .collect(Collectors.groupingBy(value -> value, Collectors.counting()));
    }

    /** The rasters with statistics and the labels of bands. Most datasets are counted many times. */
    private record Known(List<String> rasters, List<String> bands) {

        private static final Map<String, Known> BY_STATISTICS = new ConcurrentHashMap<>();

        static Known of(Dataset dataset) {
            return BY_STATISTICS.computeIfAbsent(dataset.bandStats, text -> {
                JsonObject stats = new JsonObject(text);
                return new Known(stats.fieldNames().stream()
                        .filter(raster -> !stats.getJsonObject(raster).isEmpty()).toList(),
                        List.copyOf(stats.getJsonObject("multispec_ortho", new JsonObject())
                                .getJsonObject("band_descr", new JsonObject()).fieldNames()));
            });
        }
    }

    /** The labels of the bands of a dataset. */
    public static List<String> bands(Dataset dataset) {
        return Known.of(dataset).bands;
    }

    private static LocalDate day(Dataset dataset) {
        return LocalDate.ofInstant(dataset.capturedDate, ZoneOffset.UTC);
    }

    private static JsonArray fixed(List<String> values, Map<String, Long> counts) {
        return new JsonArray(values.stream().map(value -> choice(value, counts.getOrDefault(value, 0L))).toList());
    }

    private static JsonObject choice(String value, long count) {
        return new JsonObject().put("value", value).put("count", count);
    }

    private static JsonArray sorted(Map<String, Long> counts, Comparator<String> order) {
        return new JsonArray(counts.keySet().stream()
                .sorted(Comparator.<String>comparingLong(counts::get).reversed().thenComparing(order))
                .map(value -> choice(value, counts.get(value))).toList());
    }

    private JsonArray users(List<Dataset> matching) {
        Map<String, Long> ids = new HashMap<>();
        matching.forEach(d -> ids.put(d.ownerName, d.ownerId));
        JsonArray all = sorted(count(matching, d -> Stream.of(d.ownerName)), nameOrder);
        return new JsonArray(all.stream().limit(20).map(JsonObject.class::cast)
                .map(user -> user.put("id", ids.get(user.getString("value")))).toList());
    }

    private static final List<String> INTERVALS = List.of("day", "month", "year");
    private static final int MAX_BUCKETS = 1_000;

    /** A histogram. */
    public static JsonObject histogram(String interval, List<Dataset> matching) {
        CalendarModel counted = CalendarModel.of(matching.stream().map(FacetModel::day).toList(),
                INTERVALS.subList(INTERVALS.indexOf(interval), INTERVALS.size()), MAX_BUCKETS);
        JsonArray buckets = new JsonArray();
        counted.counts().forEach((from, count) -> {
            LocalDate until = CalendarModel.next(counted.interval(), from);
            buckets.add(new JsonObject().put("from", from + "T00:00:00Z")
                    .put("until", until.getYear() > 9999 ? null : until + "T00:00:00Z").put("count", count));
        });
        JsonObject histogram = new JsonObject().put("count", matching.size()).put("interval", counted.interval())
                .put("buckets", buckets);
        return counted.isSparse() ? histogram.put("empty_left_out", true) : histogram;
    }
}
