package io.datasetlisting.dataset.cql2;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

import io.datasetlisting.base.ApiException;

/**
 * A place in a parameter, which an error names.
 *
 * @param parameter
 *            the name of the parameter
 * @param name
 *            makes the name of the place, for an error only; an empty name is the whole parameter
 */
record Place(String parameter, Supplier<String> name) {

    /** The largest number of characters of a name that an error repeats. */
    private static final int MAX_NAME = 64;

    /** The whole parameter, or the root of its JSON. */
    Place(String parameter) {
        this(parameter, () -> "");
    }

    /** A member of the JSON object at this place, or an element of the array. Its name is a JSON pointer. */
    Place member(Object key) {
        return new Place(parameter, () -> name.get() + "/" + key);
    }

    /** The error of status 400 for this place. */
    ApiException refuse(String reason) {
        String place = name.get();
        return new ApiException(400, parameter + ": " + reason + (place.isEmpty() ? "." : " at " + place + "."));
    }

    /** A name of the client, as an error repeats it. */
    static String quote(String name) {
        String cut = name.codePointCount(0, name.length()) > MAX_NAME
                ? name.substring(0, name.offsetByCodePoints(0, MAX_NAME)) + "..."
                : name;
        // Replaces halves of surrogate pairs, which an answer cannot contain.
        return "'" + new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8) + "'";
    }
}
