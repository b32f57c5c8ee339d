package io.datasetlisting.dataset.storage;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

import io.datasetlisting.http.MediaTypes;

/** A type of image that browsers display, recognized by the first bytes of its file. */
enum ImageType {

    JPEG(MediaTypes.JPEG, "jpg", "\u00FF\u00D8\u00FF"), PNG(MediaTypes.PNG, "png", "\u0089PNG\r\n\u001A\n"),
    /** The four question marks stand for the length of the file. */
    WEBP(MediaTypes.WEBP, "webp", "RIFF????WEBP");

    /** Number of bytes that determine the type. */
    static final int HEAD_LENGTH = 12;

    final String mediaType;
    final String extension;
    private final byte[] head;

    ImageType(String mediaType, String extension, String head) {
        this.mediaType = mediaType;
        this.extension = extension;
        this.head = head.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The type of a file, or null if it is none of these types. */
    static ImageType of(byte[] file) {
        for (ImageType type : values()) {
            if (type.matches(file)) {
                return type;
            }
        }
        return null;
    }

    /** The type of an object by the extension of its key, or null. */
    static ImageType byExtension(String key) {
        String lower = key.toLowerCase(Locale.ROOT);
        for (ImageType type : values()) {
            if (lower.endsWith('.' + type.extension)) {
                return type;
            }
        }
        return lower.endsWith(".jpeg") ? JPEG : null;
    }

    private boolean matches(byte[] file) {
        if (file.length < head.length) {
            return false;
        }
        for (int i = 0; i < head.length; i++) {
            if (head[i] != '?' && head[i] != file[i]) {
                return false;
            }
        }
        return true;
    }
}
