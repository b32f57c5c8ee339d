package io.datasetlisting.dataset.rule;

import java.math.BigDecimal;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.StrictJson;

/** Checks the statistics of a dataset's rasters against the specification, and reports each error at its place. */
public final class BandStats {

    /** The value of a dataset without statistics. */
    public static final String NONE = "{\"dsm\":{},\"dtm\":{},\"ortho\":{}}";

    private static final String MULTISPECTRAL = "multispec_ortho";
    private static final String BAND_DESCR = "band_descr";
    private static final List<String> ALWAYS_THERE = List.of("dsm", "dtm", "ortho");
    private static final List<String> STATISTICS = List.of("max", "min", "mean", "stddev");
    /** More bands than any known sensor has. */
    private static final int MAX_BANDS = 500;
    private static final int MAX_LABEL = 64;
    /** As text. 500 bands with 17 digits and the longest labels have fewer characters. */
    private static final int MAX_SIZE = 128 << 10;
    private static final int MAX_ECHO = 64;

    private static final Pattern BAND = Pattern.compile("b[1-9]\\d{0,2}");

    private BandStats() {
    }

    /**
     * The statistics as JSON text; null when they are invalid, and then {@code fields} has the errors. A required raster that is
     * absent is added without statistics.
     */
    static String read(DrfFields fields, String name) {
        ObjectNode stats = fields.object(name);
        if (stats == null) {
            return null;
        }
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        // In the order of the keys of a jsonb value: shorter keys first.
        ObjectNode checked = JsonNodeFactory.instance.objectNode();
        ALWAYS_THERE.forEach(raster -> checked.set(raster, JsonNodeFactory.instance.objectNode()));
        for (Map.Entry<String, JsonNode> entry : stats.properties()) {
            String raster = entry.getKey();
            if (!ALWAYS_THERE.contains(raster) && !raster.equals(MULTISPECTRAL)) {
                refuse(errors, raster, "There is no such raster.");
            } else if (!(entry.getValue() instanceof ObjectNode bands)) {
                refuse(errors, raster, notADictionary(entry.getValue()));
            } else {
                ObjectNode nestedErrors = checkRaster(raster, bands);
                if (nestedErrors.isEmpty()) {
                    checked.set(raster, bands);
                } else {
                    errors.set(raster, nestedErrors);
                }
            }
            if (errors.size() > MAX_BANDS) {
                break;
            }
        }
        if (!errors.isEmpty()) {
            fields.refuse(name, errors);
            return null;
        }
        if (size(checked) > MAX_SIZE) {
            return fields.refuse(name, "Ensure this field has no more than " + MAX_SIZE + " characters.");
        }
        return checked.toString();
    }

    /** The number of characters in the database, which writes all digits of a number: 1e-300 has 302. */
    private static int size(JsonNode value) {
        int size = value.isNumber()
                ? Math.max(value.decimalValue().precision(), Math.abs(value.decimalValue().scale())) + 2
                : value.asText().length() + 2;
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            size += entry.getKey().length() + 6 + size(entry.getValue());
        }
        return size;
    }

    /** The errors of the bands of a raster. */
    private static ObjectNode checkRaster(String raster, ObjectNode bands) {
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        boolean multispectral = raster.equals(MULTISPECTRAL);
        int count = bands.size() - (multispectral && bands.has(BAND_DESCR) ? 1 : 0);
        if (bands.isEmpty()) {
            return errors;
        }
        String wrongCount = switch (raster) {
            case "ortho" -> count == 3 || count == 4 ? null : "Expected the bands b1 to b3 or b1 to b4.";
            case MULTISPECTRAL -> count >= 1 && count <= MAX_BANDS
                    ? null
                    : "Expected 1 to " + MAX_BANDS + " bands.";
            default -> count == 1 ? null : "Expected the band b1 alone.";
        };
        if (wrongCount != null) {
            return refuse(errors, "non_field_errors", wrongCount);
        }
        for (Map.Entry<String, JsonNode> entry : bands.properties()) {
            if (!(multispectral && entry.getKey().equals(BAND_DESCR))) {
                checkBand(errors, entry.getKey(), entry.getValue(), count);
            }
        }
        if (multispectral) {
            checkLabels(errors, bands.get(BAND_DESCR), count);
        }
        return errors;
    }

    private static void checkBand(ObjectNode errors, String band, JsonNode statistics, int count) {
        if (!isBandUpTo(band, count)) {
            refuse(errors, band, "Bands are named b1 to b" + count + " here.");
        } else if (!(statistics instanceof ObjectNode values)) {
            refuse(errors, band, notADictionary(statistics));
        } else {
            ObjectNode nestedErrors = JsonNodeFactory.instance.objectNode();
            for (String statistic : STATISTICS) {
                JsonNode value = values.get(statistic);
                BigDecimal number = value != null && value.isNumber() ? StrictJson.number(value) : null;
                if (number != null) {
                    values.put(statistic, stored(number.doubleValue()));
                } else {
                    refuse(nestedErrors, statistic,
                            value == null ? "This field is required." : "A valid number is required.");
                }
            }
            for (Iterator<String> names = values.fieldNames(); names.hasNext();) {
                String name = names.next();
                if (!STATISTICS.contains(name) && nestedErrors.size() < MAX_BANDS) {
                    refuse(nestedErrors, name, "There is no such statistic.");
                }
            }
            if (!nestedErrors.isEmpty()) {
                errors.set(band, nestedErrors);
            }
        }
    }

    /** The shortest digits of the number, as Django writes them: a whole number ends with .0. A column of doubles keeps it. */
    public static BigDecimal stored(double number) {
        BigDecimal digits = BigDecimal.valueOf(number).stripTrailingZeros();
        return digits.setScale(Math.max(1, digits.scale()));
    }

    private static void checkLabels(ObjectNode errors, JsonNode labels, int count) {
        if (labels == null) {
            refuse(errors, BAND_DESCR, "This field is required.");
            return;
        }
        if (!(labels instanceof ObjectNode)) {
            refuse(errors, BAND_DESCR, notADictionary(labels));
            return;
        }
        ObjectNode nestedErrors = JsonNodeFactory.instance.objectNode();
        if (labels.size() > MAX_BANDS) {
            refuse(errors, BAND_DESCR, "Ensure this field has no more than " + MAX_BANDS + " elements.");
            return;
        }
        for (Map.Entry<String, JsonNode> entry : labels.properties()) {
            String label = entry.getKey();
            BigDecimal band = entry.getValue().isIntegralNumber() ? StrictJson.number(entry.getValue()) : null;
            if (label.isBlank() || label.length() > MAX_LABEL || label.indexOf('\0') >= 0
                    || StrictJson.loneSurrogate(label) >= 0) {
                refuse(nestedErrors, label, "A label has 1 to " + MAX_LABEL + " characters.");
            } else if (band == null || band.signum() <= 0 || band.compareTo(BigDecimal.valueOf(count)) > 0) {
                refuse(nestedErrors, label, "Expected the number of a band, 1 to " + count + ".");
            }
        }
        if (!nestedErrors.isEmpty()) {
            errors.set(BAND_DESCR, nestedErrors);
        }
    }

    private static boolean isBandUpTo(String name, int count) {
        return BAND.matcher(name).matches() && Integer.parseInt(name.substring(1)) <= count;
    }

    private static String notADictionary(JsonNode value) {
        return "Expected a dictionary of items but got type \"" + StrictJson.pythonType(value) + "\".";
    }

    private static ObjectNode refuse(ObjectNode errors, String name, String message) {
        errors.putArray(name.length() > MAX_ECHO ? name.substring(0, MAX_ECHO) + "…" : name).add(message);
        return errors;
    }
}
