package io.datasetlisting.dataset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import java.util.function.BiConsumer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.dataset.raster.RasterSource;

/** The values of some fields of a dataset, as the API shows them. The fields write the JSON of a view. */
public final class DatasetView extends JsonSerializable.Base {

    private final FieldSelection fields;
    private final Object[] values;

    /**
     * @param values
     *            one for each field of the selection
     */
    DatasetView(FieldSelection fields, Object[] values) {
        this.fields = fields;
        this.values = values;
    }

    /** The address to which a DOI leads. */
    public static String resolver(String doi) {
        return "https://doi.org/" + PercentEncoding.path(doi);
    }

    /** The value of a field of the selection. */
    public Object get(String field) {
        return values[fields.position(field)];
    }

    public long id() {
        return (Long) get("id");
    }

    /** The name of the dataset, or a text with its id where the name is blank. */
    public String title() {
        return DatasetTitle.of((String) get("dataset_name"), id());
    }

    /** The username of the owner. The field ends with a space and the owner's id. */
    public String owner() {
        String user = (String) get("user");
        return user.substring(0, user.lastIndexOf(' '));
    }

    /** The values that the links to the rasters are made from, of a view that has the object's key in place of the link. */
    public RasterSource rasterSource() {
        return RasterSource.of(id(), (UUID) get("uav_uid"), (String) get("thumbnail_image"),
                (String[]) get("available_rasters"), (String) get("rasters"));
    }

    /** {@code [lat_a, lon_a, lat_b, lon_b]} in degrees, or empty. */
    public double[] bbox() {
        return (double[]) get("bbox");
    }

    /** {@code [latitude, longitude]} in degrees; empty for a draft. */
    public double[] coordinates() {
        return (double[]) get("coordinates");
    }

    /** Calls the action with each field that is shown, and its value. */
    public void forEach(BiConsumer<DatasetField<?>, Object> action) {
        for (int i = 0; i < values.length; i++) {
            if (fields.isShown(i)) {
                action.accept(fields.field(i), values[i]);
            }
        }
    }

    @Override
    public void serialize(JsonGenerator json, SerializerProvider serializers) throws IOException {
        json.writeStartObject();
        for (int i = 0; i < values.length; i++) {
            if (fields.isShown(i) && saysSomething(i)) {
                fields.field(i).writeName(json);
                fields.field(i).write(json, values[i]);
            }
        }
        json.writeEndObject();
    }

    /** A line of an export, and a dataset of the feed of changes, have the shape of the listing unless a detail has a value. */
    private boolean saysSomething(int i) {
        return !fields.field(i).isDetail() || FieldDescription.hasValue(values[i]);
    }

    /**
     * The JSON of a view that has the object's key in place of the thumbnail's link.
     *
     * @param isWhole
     *            whether it also has details without a value
     */
    UnsignedJson unsigned(JsonFactory factory, boolean isWhole) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        byte[] before = {};
        String key = null;
        try (JsonGenerator json = factory.createGenerator(bytes)) {
            json.writeStartObject();
            for (int i = 0; i < values.length; i++) {
                if (!isWhole && !saysSomething(i)) {
                    continue;
                }
                fields.field(i).writeName(json);
                if (fields.field(i).isLink()) {
                    key = (String) values[i];
                    // An empty value: the generator writes the colon with the value.
                    json.writeRawValue("");
                    json.flush();
                    before = bytes.toByteArray();
                    bytes.reset();
                } else {
                    fields.field(i).write(json, values[i]);
                }
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new UnsignedJson(before, key, bytes.toByteArray());
    }

    @Override
    public void serializeWithType(JsonGenerator json, SerializerProvider serializers, TypeSerializer type)
            throws IOException {
        serialize(json, serializers);
    }
}
