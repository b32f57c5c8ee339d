package io.datasetlisting.dataset.format;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.apache.parquet.schema.Type;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.DatasetField;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.format.GeoParquetFile.Column;
import io.datasetlisting.dataset.format.GeoParquetFile.Layout;
import io.datasetlisting.dataset.parquet.ParquetValues;
import io.datasetlisting.http.input.StrictJson;

/**
 * Writes datasets as GeoParquet: a column for each field, under its name, and behind them the geometry and the edges of its box.
 */
@Singleton
public class DatasetParquet {

    /** The name that GDAL gives to this column, too. The list has a field {@code bbox} of another shape. */
    private static final String BOX = "geometry_bbox";

    private final DatasetFields fields;

    DatasetParquet(DatasetFields fields) {
        this.fields = fields;
    }

    /**
     * A file of views that have read the id, the bbox and the coordinates.
     *
     * @param shown
     *            the fields with a column
     */
    public EncodedFile<DatasetView> open(FieldSelection shown) throws IOException {
        List<Column<DatasetView>> columns = shown.names().stream().map(name -> column(fields.get(name))).toList();
        return new GeoParquetFile<>(new Layout<>(columns,
                BoundingBox::geometry,
                ParquetValues.box(BOX, false), Map.of()));
    }

    /** The statistics of bands as the field has them, of these in a column: the labels are a member of the bands again. */
    public static JsonNode joinStatistics(JsonNode stats) {
        for (JsonNode raster : stats) {
            if (raster.path("bands") instanceof ObjectNode bands) {
                ObjectNode object = (ObjectNode) raster;
                object.remove("bands");
                object.setAll(bands);
            }
        }
        return stats;
    }

    private static Column<DatasetView> column(DatasetField<?> field) {
        String name = field.name();
        Type type = ParquetValues.type(name, StrictJson.parse(field.jsonSchema()));
        Function<DatasetView, Object> value = dataset -> dataset.get(name);
        if (ParquetValues.isTime(type)) {
            // As the list shows it.
            return new Column<>(type,
                    value.andThen(time -> time == null ? null : ((Instant) time).truncatedTo(ChronoUnit.SECONDS)));
        }
        return new Column<>(type,
                field.isDetail() ? value.andThen(each -> DatasetField.hasValue(each) ? each : null) : value);
    }
}
