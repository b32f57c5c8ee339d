package io.datasetlisting.http;

import java.util.List;
import java.util.Locale;

/**
 * Chooses the media type of a response by the header {@code Accept}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-accept">RFC 9110, Accept</a>
 */
public final class Accept {

    /** A range for problem details matches every type, with a quality below all others: it also gets successful responses. */
    private static final int PROBLEM = 0;
    private static final double LAST_RESORT = 0.0001;

    private Accept() {
    }

    /**
     * The media type with the highest quality.
     *
     * @param header
     *            null or blank if the client accepts every type. Malformed parts are ignored
     * @param offered
     *            the media types of the endpoint. The first one wins among types of the same quality
     *
     * @return null if the client accepts none of them
     */
    public static String best(String header, List<String> offered) {
        if (header == null || header.isBlank() || header.equals("*/*")) {
            return offered.get(0);
        }
        String best = null;
        double bestQuality = 0;
        for (String type : offered) {
            double quality = quality(header, type);
            if (quality > bestQuality) {
                best = type;
                bestQuality = quality;
            }
        }
        return best;
    }

    /** The quality of the most specific range that matches the type; 0 if no range matches. */
    private static double quality(String header, String type) {
        double quality = 0;
        int highest = -1;
        String withoutParameters = type.split(";", 2)[0];
        for (String range : header.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = range.split(";", -1);
            int specificity = specificity(parts[0].strip(), withoutParameters);
            if (specificity > highest) {
                highest = specificity;
                quality = specificity == PROBLEM ? LAST_RESORT : quality(parts);
            }
        }
        return quality;
    }

    /** How specific a matching range is, from 3 for the type itself; -1 if the range does not match the type. */
    private static int specificity(String range, String type) {
        if (range.equals(type)) {
            return 3;
        }
        if (range.endsWith("/*") && type.startsWith(range.substring(0, range.length() - 1))) {
            return 2;
        }
        return range.equals("*/*") ? 1 : range.equals(MediaTypes.PROBLEM_JSON) ? PROBLEM : -1;
    }

    /** The value of the parameter {@code q}; 1 if it is missing or malformed. */
    static double quality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("q=")) {
                try {
                    return Double.parseDouble(parameter.substring(2));
                } catch (NumberFormatException e) {
                    return 1;
                }
            }
        }
        return 1;
    }
}
