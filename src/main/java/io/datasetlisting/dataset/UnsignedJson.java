package io.datasetlisting.dataset;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The JSON of a dataset without the thumbnail's link. The link expires; the rest is valid until the dataset changes.
 *
 * @param before
 *            the JSON up to the link
 * @param thumbnailKey
 *            the object's key in the bucket; null for the placeholder
 * @param after
 *            the JSON after the link
 */
public record UnsignedJson(byte[] before, String thumbnailKey, byte[] after) {

    /** The JSON with a link. A URL has no characters that JSON must escape. */
    public byte[] with(String link) {
        byte[] url = link.getBytes(StandardCharsets.US_ASCII);
        byte[] json = Arrays.copyOf(before, before.length + url.length + 2 + after.length);
        json[before.length] = '"';
        System.arraycopy(url, 0, json, before.length + 1, url.length);
        json[before.length + 1 + url.length] = '"';
        System.arraycopy(after, 0, json, json.length - after.length, after.length);
        return json;
    }
}
