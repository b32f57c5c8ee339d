package io.datasetlisting.http;

/** The number at the end of an address. */
public final class PathId {

    private static final int MAX_DIGITS = 18;

    private PathId() {
    }

    /**
     * @param type
     *            what the number stands for, {@code Dataset} for example
     *
     * @throws ApiException
     *             404 for a text that can't be an id: nothing has it
     */
    public static long parse(String text, String type) {
        if (text.isEmpty() || text.length() > MAX_DIGITS || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw ApiException.noSuch(type);
        }
        return Long.parseLong(text);
    }
}
