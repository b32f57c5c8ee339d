package io.datasetlisting.support;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Creates bytes that begin like an image and contain no image. */
public final class Images {

    private Images() {
    }

    /**
     * @param size
     *            in bytes, at least 12
     */
    public static byte[] of(String mediaType, int size) {
        byte[] image = new byte[size];
        new Random(size).nextBytes(image);
        String head = switch (mediaType) {
            case "image/jpeg" -> "\u00FF\u00D8\u00FF";
            case "image/png" -> "\u0089PNG\r\n\u001A\n";
            case "image/webp" -> "RIFF1234WEBP";
            default -> throw new IllegalArgumentException(mediaType);
        };
        System.arraycopy(head.getBytes(StandardCharsets.ISO_8859_1), 0, image, 0, head.length());
        return image;
    }
}
