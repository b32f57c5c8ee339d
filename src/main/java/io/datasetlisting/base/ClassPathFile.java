package io.datasetlisting.base;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Files of the package. */
public final class ClassPathFile {

    private static final Pattern OURS = Pattern.compile("/(web|docs)/.*[.](js|css)");
    /** A comment on lines of its own, and what stands before a line: a quarter of the compressed scripts. */
    private static final Pattern UNREAD = Pattern
            .compile("(?m)^[ \\t]*(?:/\\*[^*]*\\*+(?:[^/*][^*]*\\*+)*/|//[^\\n]*)\\n|^[ \\t]+");

    private ClassPathFile() {
    }

    /**
     * The text of a file in UTF-8.
     *
     * @param name
     *            absolute, such as {@code /web/page.js}; the file exists
     */
    public static String read(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    /** The content of a file with an absolute name. */
    public static byte[] bytes(String name) {
        try (InputStream file = ClassPathFile.class.getResourceAsStream(name)) {
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The content of a file without what only readers of the source need, if it is a script or a style sheet of this project. A
     * library keeps its licence.
     */
    public static String code(String name) {
        return OURS.matcher(name).matches() ? UNREAD.matcher(read(name)).replaceAll("") : read(name);
    }
}
