package io.datasetlisting.write.exports;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;

/** The files of an export. */
public enum ExportFormat {

    PARQUET("GeoParquet", "parquet", MediaTypes.GEO_PARQUET), FLAT_GEOBUF("FlatGeobuf", "fgb",
            MediaTypes.FLAT_GEOBUF), LINES("NDJSON", "ndjson.gz", MediaTypes.GZIP);

    private static final String START = "datasets-";
    private static final Pattern VERSION = Pattern.compile("\\d{8}T\\d{6}Z-[0-9a-f]{8}");

    /** As people call it. */
    public final String title;
    public final String mediaType;
    private final String extension;

    ExportFormat(String title, String extension, String mediaType) {
        this.title = title;
        this.extension = extension;
        this.mediaType = mediaType;
    }

    /** The path of the newest file. */
    public String path() {
        return Endpoints.EXPORTS + "datasets." + extension;
    }

    /** The name of the file of a version. */
    String file(String version) {
        return START + version + '.' + extension;
    }

    /** The version of a file with this name; null for another name. */
    String version(String name) {
        String ending = '.' + extension;
        if (!name.startsWith(START) || !name.endsWith(ending)) {
            return null;
        }
        String version = name.substring(START.length(), Math.max(START.length(), name.length() - ending.length()));
        return VERSION.matcher(version).matches() ? version : null;
    }

    /** The names of all files of a version. */
    static List<String> files(String version) {
        return Arrays.stream(values()).map(format -> format.file(version)).toList();
    }
}
