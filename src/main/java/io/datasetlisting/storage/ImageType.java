package io.datasetlisting.storage;

import java.nio.charset.StandardCharsets;

/** The images that browsers show, told by how their files begin. */
enum ImageType {

    JPEG("image/jpeg", "jpg", "\u00FF\u00D8\u00FF"), PNG("image/png", "png", "\u0089PNG\r\n\u001A\n"),
    /** The four question marks are the file's length. */
    WEBP("image/webp", "webp", "RIFF????WEBP");

    /** How many bytes it takes to know. */
    static final int HEAD = 12;

    final String mediaType;
    final String extension;
    private final byte[] head;

    ImageType(String mediaType, String extension, String head) {
        this.mediaType = mediaType;
        this.extension = extension;
        this.head = head.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Null for what is none of them. */
    static ImageType of(byte[] file) {
        for (ImageType type : values()) {
            if (type.begins(file)) {
                return type;
            }
        }
        return null;
    }

    private boolean begins(byte[] file) {
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
