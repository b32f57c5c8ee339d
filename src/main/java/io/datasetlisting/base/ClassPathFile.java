package io.datasetlisting.base;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Files of the package. */
public final class ClassPathFile {

    private ClassPathFile() {
    }

    /**
     * The text of a file in UTF-8.
     *
     * @param name
     *            absolute, such as {@code /web/page.js}; the file exists
     */
    public static String read(String name) {
        try (InputStream file = ClassPathFile.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
