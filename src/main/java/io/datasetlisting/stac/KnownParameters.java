package io.datasetlisting.stac;

import java.util.HashSet;
import java.util.Set;

import io.datasetlisting.http.ApiException;
import io.datasetlisting.input.QueryString;

/** Refuses parameters that an address does not have. The standards demand this, so that a typing error does not pass in silence. */
final class KnownParameters {

    /** Longest part of a name that an error repeats. */
    private static final int SHOWN = 100;

    private KnownParameters() {
    }

    /**
     * @throws ApiException
     *             400 for an unknown parameter, and for a parameter that is given twice
     */
    static void check(QueryString query, Set<String> known) {
        Set<String> found = new HashSet<>();
        query.forEach((name, value) -> {
            if (!known.contains(name)) {
                throw new ApiException(400, "Unknown parameter: \"" + shortened(name) + "\".");
            }
            if (!found.add(name)) {
                throw new ApiException(400, "The parameter \"" + name + "\" is given more than once.");
            }
        });
    }

    private static String shortened(String name) {
        return name.length() <= SHOWN ? name : name.substring(0, SHOWN) + '\u2026';
    }
}
