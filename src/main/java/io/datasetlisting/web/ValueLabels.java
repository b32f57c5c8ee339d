package io.datasetlisting.web;

import io.datasetlisting.http.Language;

/** The values of fields in the words of people. A value without a name of its own stays as it is. */
public final class ValueLabels {

    private ValueLabels() {
    }

    /**
     * A value of a field or of a filter.
     *
     * @param name
     *            of the field or of the filter, or the kind of a tag
     */
    static String of(String name, String value, Language language) {
        return switch (name) {
            case "category" -> category(value, language);
            case "available_rasters", "has_stats", "raster" -> raster(value, language);
            default -> value;
        };
    }

    /** The name of a category. */
    public static String category(String value, Language language) {
        CategoryMessages words = HtmlPages.words(CategoryMessages.class, language);
        return switch (value) {
            case "Artificial - terrestrial" -> words.artificial();
            case "Deep ocean floor" -> words.deep_ocean_floor();
            case "Desert" -> words.desert();
            case "Forest" -> words.forest();
            case "Grassland" -> words.grassland();
            case "Intertidal" -> words.intertidal();
            case "Neritic" -> words.neritic();
            case "Oceanic" -> words.oceanic();
            case "Other" -> words.other();
            case "Rocky" -> words.rocky();
            case "Savanna" -> words.savanna();
            case "Shrubland" -> words.shrubland();
            case "Wetlands" -> words.wetlands();
            default -> value;
        };
    }

    static String raster(String value, Language language) {
        Messages words = HtmlPages.words(language);
        return switch (value) {
            case "ortho" -> words.raster_ortho();
            case "multispec_ortho" -> words.raster_multispec();
            case "dsm" -> words.raster_dsm();
            case "dtm" -> words.raster_dtm();
            default -> value;
        };
    }
}
