package io.datasetlisting.dataset.storage;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Checks the keys of objects in the file storage. */
public final class ObjectKey {

    /** The longest key of S3, in bytes of UTF-8. */
    private static final int MAX_BYTES = 1024;

    private ObjectKey() {
    }

    /**
     * Whether a key means the same to every storage, proxy and browser: its segments are not empty and neither {@code .} nor
     * {@code ..}, and it has neither backslashes nor control characters, and at most 1,024 bytes.
     */
    public static boolean isNormal(String key) {
        return key.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES
                && key.chars().noneMatch(c -> c == '\\' || Character.isISOControl(c))
                && Arrays.stream(key.split("/", -1))
                        .noneMatch(segment -> segment.isEmpty() || segment.equals(".") || segment.equals(".."));
    }
}
