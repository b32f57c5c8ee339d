package io.datasetlisting.support;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Reads a file of features with GDAL, as QGIS does. */
public final class Gdal {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Gdal() {
    }

    /** The features of a file in its order, with numbers and texts as they are. */
    public static List<JsonNode> features(String path, Path folder, String... arguments)
            throws IOException, InterruptedException {
        String lines = Program.ofGdal("ogr2ogr", folder)
                .run(Stream.concat(Stream.of("-f", "GeoJSONSeq", "/vsistdout/", path,
                        "-lco", "SIGNIFICANT_FIGURES=17", "-lco", "AUTODETECT_JSON_STRINGS=NO"), Stream.of(arguments))
                        .toArray(String[]::new));
        List<JsonNode> features = new ArrayList<>();
        for (String line : lines.split("\n")) {
            if (!line.isEmpty()) {
                features.add(JSON.readTree(line));
            }
        }
        return features;
    }

    /** The geometry and the properties, without what is null. */
    public static String comparable(JsonNode feature) {
        return form(feature.get("geometry")) + " " + form(feature.get("properties"));
    }

    /** With members in the order of their names, and with numbers of one type: 1 and 1.0 are equal. */
    private static Object form(JsonNode json) {
        if (json.isArray()) {
            List<Object> elements = new ArrayList<>();
            json.forEach(element -> elements.add(form(element)));
            return elements;
        }
        if (json.isObject()) {
            Map<String, Object> members = new TreeMap<>();
            json.properties().stream().filter(member -> !member.getValue().isNull())
                    .forEach(member -> members.put(member.getKey(), form(member.getValue())));
            return members;
        }
        return json.isNumber() ? (Object) json.doubleValue() : json;
    }
}
