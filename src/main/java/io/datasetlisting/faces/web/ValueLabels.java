package io.datasetlisting.faces.web;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

import io.datasetlisting.http.Language;

/** The values of fields in the words of people. A value without a name of its own stays as it is. */
public final class ValueLabels {

    private static final MathContext DIGITS = new MathContext(2);
    private static final int SMALLEST_EXPONENT = -4;
    private static final int LARGEST_EXPONENT = 14;

    private ValueLabels() {
    }

    /**
     * A value of a field or of a filter.
     *
     * @param name
     *            of the field or of the filter, or the kind of a tag
     */
    public static String of(String name, String value, Language language) {
        return switch (name) {
            case "category" -> category(value, language);
            case "available_rasters", "has_stats", "raster" -> raster(value, language);
            default -> value;
        };
    }

    /** The name of a category. */
    public static String category(String value, Language language) {
        Words words = Words.in(language);
        return switch (value) {
            case "Artificial - terrestrial" -> words.of("category:artificial");
            case "Deep ocean floor" -> words.of("category:deep_ocean_floor");
            case "Desert" -> words.of("category:desert");
            case "Forest" -> words.of("category:forest");
            case "Grassland" -> words.of("category:grassland");
            case "Intertidal" -> words.of("category:intertidal");
            case "Neritic" -> words.of("category:neritic");
            case "Oceanic" -> words.of("category:oceanic");
            case "Other" -> words.of("category:other");
            case "Rocky" -> words.of("category:rocky");
            case "Savanna" -> words.of("category:savanna");
            case "Shrubland" -> words.of("category:shrubland");
            case "Wetlands" -> words.of("category:wetlands");
            default -> value;
        };
    }

    /** The size of a pixel, with two digits: more are not what people say. */
    public static String pixelSize(BigDecimal metres, Language language) {
        BigDecimal rounded = metres.round(DIGITS);
        Words words = Words.in(language);
        return rounded.compareTo(BigDecimal.ONE) < 0
                ? words.of("msg:centimetres_per_pixel",
                        number(rounded.movePointRight(2).stripTrailingZeros(), language))
                : words.of("msg:metres_per_pixel", number(rounded.stripTrailingZeros(), language));
    }

    /**
     * A number with the separators of the language, and with an exponent if it has many zeros. It has the digits of dates: JDK 17
     * writes Arabic ones. A native executable knows no locale with an extension.
     */
    public static String number(BigDecimal value, Language language) {
        int exponent = value.precision() - value.scale() - 1;
        if (exponent < SMALLEST_EXPONENT || exponent > LARGEST_EXPONENT) {
            return number(value.movePointLeft(exponent).stripTrailingZeros(), language) + 'e' + exponent;
        }
        return String.format(language == Language.AR ? Locale.ROOT : language.locale(),
                "%,." + Math.max(0, value.scale()) + 'f', value);
    }

    /** The name of a raster. */
    public static String raster(String value, Language language) {
        Words words = Words.in(language);
        return switch (value) {
            case "ortho" -> words.of("msg:raster_ortho");
            case "multispec_ortho" -> words.of("msg:raster_multispec");
            case "dsm" -> words.of("msg:raster_dsm");
            case "dtm" -> words.of("msg:raster_dtm");
            default -> value;
        };
    }
}
