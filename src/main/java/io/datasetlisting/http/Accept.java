package io.datasetlisting.http;

import java.util.List;
import java.util.Locale;

/**
 * Chooses what an answer is written in.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-accept">RFC 9110, Accept</a>
 */
public final class Accept {

    /** A client that names nothing but problem details gets its successes all the same. */
    private static final int PROBLEM = 0;
    private static final double LAST_RESORT = 0.0001;

    private Accept() {
    }

    /**
     * The media type that a client likes best.
     *
     * @param header
     *            null or blank for a client that takes anything; what is malformed in it is passed over
     * @param offered
     *            of those that are liked the same, the first is taken
     *
     * @return null when the client takes none
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

    /** What the range that names the type most closely says. */
    private static double quality(String header, String type) {
        double quality = 0;
        int closest = -1;
        for (String range : header.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = range.split(";", -1);
            int closeness = closeness(parts[0].strip(), type);
            if (closeness > closest) {
                closest = closeness;
                quality = closeness == PROBLEM ? LAST_RESORT : quality(parts);
            }
        }
        return quality;
    }

    /** -1 where the range does not hold the type. */
    private static int closeness(String range, String type) {
        if (range.equals(type)) {
            return 3;
        }
        if (range.endsWith("/*") && type.startsWith(range.substring(0, range.length() - 1))) {
            return 2;
        }
        return range.equals("*/*") ? 1 : range.equals(MediaTypes.PROBLEM_JSON) ? PROBLEM : -1;
    }

    /** What the parameter {@code q} behind a name says, 1 where there is none. */
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
