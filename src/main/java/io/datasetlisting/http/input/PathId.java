package io.datasetlisting.http.input;

import io.datasetlisting.base.ApiException;

/** Parses the id in a path. */
public final class PathId {

    private static final int MAX_DIGITS = 18;

    private PathId() {
    }

    /**
     * @param type
     *            type of the row with this id, {@code Dataset} for example
     *
     * @throws ApiException
     *             404 if the text cannot be an id
     */
    public static long parse(String text, String type) {
        if (text.isEmpty() || text.length() > MAX_DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw ApiException.noSuch(type);
        }
        return Long.parseLong(text);
    }
}
