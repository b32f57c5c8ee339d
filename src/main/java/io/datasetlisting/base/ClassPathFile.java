package io.datasetlisting.base;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;

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

    /** Changes with a text, and with each of the files as they are in the package: their comments are removed later. */
    public static String hash(String text, Stream<String> names) {
        CRC32 all = new CRC32();
        all.update(text.getBytes(StandardCharsets.UTF_8));
        names.map(ClassPathFile::bytes).forEach(all::update);
        return Long.toString(all.getValue(), Character.MAX_RADIX);
    }

    /**
     * The content of a file without what only readers of the source need, if it is a script or a style sheet of this project. A
     * library keeps its licence.
     */
    public static String code(String name) {
        return OURS.matcher(name).matches() ? UNREAD.matcher(read(name)).replaceAll("") : read(name);
    }
}
