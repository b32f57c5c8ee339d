package io.datasetlisting.dataset;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

import io.datasetlisting.support.Catalogue;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Builds views of datasets and arbitrary datasets, some with hostile texts, for tests without a running service. */
public final class Views {

    /** Configured like the mapper of the service. */
    public static final ObjectMapper MAPPER = JsonMapper
            .builder(JsonFactory.builder().enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER).build())
            .enable(JsonGenerator.Feature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build();

    public static final DatasetFields FIELDS = new DatasetFields();

    private Views() {
    }

    /** The orders that have a rank. */
    public static List<String> ranked() {
        return FIELDS.sortable().stream().filter(name -> FIELDS.get(name) != null).sorted().toList();
    }

    /** A view of {@link Catalogue#dataset}, with the thumbnail's object key in place of a link. */
    public static DatasetView view(Consumer<Dataset> change) {
        return FIELDS.all().read(Catalogue.dataset(1, change), UnaryOperator.identity());
    }

    /** Some fields of a dataset. */
    public static DatasetView select(Collection<String> fields, Dataset dataset) {
        return FIELDS.select(fields).read(dataset, UnaryOperator.identity());
    }

    /** Some fields of a dataset. The id, the bbox and the coordinates are read and not shown. */
    public static DatasetView located(Collection<String> fields, Dataset dataset) {
        return FIELDS.select(fields).reading("id", "bbox", "coordinates").read(dataset, UnaryOperator.identity());
    }

    public static String json(DatasetView view) {
        try {
            return MAPPER.writeValueAsString(view);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A dataset with this bbox and these coordinates. */
    public static Dataset at(double[] bbox, double... coordinates) {
        return Catalogue.dataset(1, d -> {
            d.bbox = bbox;
            d.coordinates = coordinates;
        });
    }

    public static Arbitrary<Dataset> datasets() {
        return Combinators.combine(hostileTexts(), hostileTexts(), hostileTexts().array(String[].class).ofMaxSize(3),
                bboxes(), coordinates(), Arbitraries.doubles(), Arbitraries.longs(),
                Arbitraries.of(true, false))
                .as((name, owner, list, bbox, place, number, id, flag) -> Catalogue.dataset(1, d -> {
                    d.id = id;
                    d.datasetName = name;
                    d.ownerName = owner;
                    d.category = list;
                    d.latestAdjustmentId = owner + name;
                    d.bandStats = "{\"dsm\": {\"b1\": {\"max\": 2.50, \"min\": -1e-7}}, \"a, \\\"b\\\": c\": " + id
                            + "}";
                    d.bbox = bbox;
                    d.coordinates = place;
                    d.cumulativeAdjustment = number;
                    d.isDemProcessing = flag;
                }));
    }

    /** Texts with characters that a format must escape. NUL is left out, because the database refuses it. */
    public static Arbitrary<String> hostileTexts() {
        return Arbitraries.of("=", "+", "-", "@", "\t", "\r", "\n", "\r\n", " ", ",", ";", "\"", "\"\"", "'", "\\", "a",
                "0", "ü", "岩", "🛰", "\u2028", "\ufeff", "</script>", "=cmd|' /C calc'!A0").list().ofMaxSize(5)
                .map(parts -> String.join("", parts));
    }

    /** Empty, or with a south that is not greater than the north. Some cross the antimeridian, some have no extent. */
    public static Arbitrary<double[]> bboxes() {
        Arbitrary<double[]> corners = Combinators.combine(degrees(90), degrees(180), degrees(90), degrees(180))
                .as((a, west, b, east) -> new double[]{Math.min(a, b), west, Math.max(a, b), east});
        return Arbitraries.oneOf(Arbitraries.just(new double[0]), corners, corners, corners);
    }

    public static Arbitrary<double[]> coordinates() {
        return Arbitraries.oneOf(Arbitraries.just(new double[0]),
                Combinators.combine(degrees(90), degrees(180)).as((lat, lon) -> new double[]{lat, lon}));
    }

    /** At least one field, in the order of the contract. */
    public static Arbitrary<Set<String>> fields() {
        return Arbitraries.subsetOf(FIELDS.names()).ofMinSize(1).map(chosen -> {
            Set<String> fields = new LinkedHashSet<>(FIELDS.names());
            fields.retainAll(chosen);
            return fields;
        });
    }

    private static Arbitrary<Double> degrees(double limit) {
        return Arbitraries.oneOf(Arbitraries.of(List.of(-limit, limit, 0.0)),
                Arbitraries.doubles().between(-limit, limit).ofScale(6));
    }
}
