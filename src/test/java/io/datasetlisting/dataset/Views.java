package io.datasetlisting.dataset;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

import io.datasetlisting.format.FieldSelection;
import io.datasetlisting.support.Catalogue;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Datasets on the wire, some of them hostile, without a service around them. */
public final class Views {

    /** Writes as the service's own does. */
    public static final ObjectMapper MAPPER = JsonMapper
            .builder(JsonFactory.builder().enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER).build())
            .enable(JsonGenerator.Feature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build();

    public static final FieldSelection SELECTION = new FieldSelection(MAPPER);

    private Views() {
    }

    /** As {@link Catalogue#dataset} has it, with the thumbnail's key in place of a link. */
    public static DatasetView view(Consumer<Dataset> change) {
        Dataset d = Catalogue.dataset(1, change);
        return new DatasetView(d.id, d.uavUid, d.ownerName + ' ' + d.ownerId, d.workspace, d.datasetName, d.category,
                d.thumbnailKey, d.capturedDate, d.isPrivate, d.isShareable, d.availableRasters, d.isDeleted, null,
                d.bandStats, d.bbox, d.coordinates == null ? new double[0] : d.coordinates, d.cantOrthomosaic,
                d.isDemProcessing, d.cumulativeAdjustment, d.latestAdjustmentStatus, d.latestAdjustmentId);
    }

    /** One at a place. */
    public static DatasetView at(double[] bbox, double... coordinates) {
        return view(d -> {
            d.bbox = bbox;
            d.coordinates = coordinates;
        });
    }

    public static Arbitrary<DatasetView> views() {
        return Combinators.combine(hostileTexts(), hostileTexts(), hostileTexts().array(String[].class).ofMaxSize(3),
                bboxes(), coordinates(), Arbitraries.doubles(), Arbitraries.longs(),
                Arbitraries.of(true, false)).as((name, owner, list, bbox, place, number, id, flag) -> view(d -> {
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

    /** All but NUL, which the database refuses. */
    public static Arbitrary<String> hostileTexts() {
        return Arbitraries.of("=", "+", "-", "@", "\t", "\r", "\n", "\r\n", " ", ",", ";", "\"", "\"\"", "'", "\\", "a",
                "0", "ü", "岩", "🛰", "\u2028", "\ufeff", "</script>", "=cmd|' /C calc'!A0").list().ofMaxSize(5)
                .map(parts -> String.join("", parts));
    }

    /** Empty, or south of north; across the antimeridian, and without an extent, too. */
    public static Arbitrary<double[]> bboxes() {
        Arbitrary<double[]> corners = Combinators.combine(degrees(90), degrees(180), degrees(90), degrees(180))
                .as((a, west, b, east) -> new double[]{Math.min(a, b), west, Math.max(a, b), east});
        return Arbitraries.oneOf(Arbitraries.just(new double[0]), corners, corners, corners);
    }

    public static Arbitrary<double[]> coordinates() {
        return Arbitraries.oneOf(Arbitraries.just(new double[0]),
                Combinators.combine(degrees(90), degrees(180)).as((lat, lon) -> new double[]{lat, lon}));
    }

    /** In the order of the contract, at least one. */
    public static Arbitrary<Set<String>> fields() {
        return Arbitraries.subsetOf(DatasetColumns.FIELDS).ofMinSize(1).map(chosen -> {
            Set<String> fields = new LinkedHashSet<>(DatasetColumns.FIELDS);
            fields.retainAll(chosen);
            return fields;
        });
    }

    private static Arbitrary<Double> degrees(double limit) {
        return Arbitraries.oneOf(Arbitraries.of(List.of(-limit, limit, 0.0)),
                Arbitraries.doubles().between(-limit, limit).ofScale(6));
    }
}
