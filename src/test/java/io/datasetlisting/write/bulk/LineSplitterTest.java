package io.datasetlisting.write.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Tests how the bytes of an import are split into lines. */
class LineSplitterTest {

    private static final int LIMIT = 5;

    @Test
    void blankLinesAreSkippedAndCounted() {
        assertEquals(List.of("2:a", "5:b\r"), split("\na\n \t\r\n\nb\r\n"));
    }

    @Test
    void theLastLineNeedsNoLineEnd() {
        assertEquals(List.of("1:a", "2:b"), split("a\nb"));
        assertEquals(List.of("1:a"), split("a\n"));
        assertEquals(List.of(), split(""));
    }

    @Test
    void aLineAboveTheLimitIsReportedAndTheNextLineIsRead() {
        assertEquals(List.of("1:12345", "2 is too long", "3:a", "4 is too long"), split("12345\n123456\na\n1234567"));
    }

    @Property
    void theLinesDoNotDependOnTheChunksOfTheBody(@ForAll("texts") String text,
            @ForAll List<@IntRange(max = 60) Integer> cuts) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int[] ends = cuts.stream().mapToInt(cut -> Math.min(cut, bytes.length)).sorted().toArray();
        LineSplitter splitter = new LineSplitter(LIMIT);
        List<LineSplitter.Line> lines = new ArrayList<>();
        int start = 0;
        for (int end : ends) {
            lines.addAll(splitter.split(Arrays.copyOfRange(bytes, start, end)));
            start = end;
        }
        lines.addAll(splitter.split(Arrays.copyOfRange(bytes, start, bytes.length)));
        lines.addAll(splitter.end());

        assertEquals(expectedLines(text), readable(lines));
    }

    /** Few different characters, so that line ends, blank lines and lines near the limit are frequent. */
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars("\n\r a\u00ff").ofMaxLength(60);
    }

    private static List<String> expectedLines(String text) {
        List<String> lines = new ArrayList<>();
        String[] all = text.split("\n", -1);
        for (int i = 0; i < all.length; i++) {
            if (all[i].length() > LIMIT) {
                lines.add(i + 1 + " is too long");
            } else if (!all[i].isBlank()) {
                lines.add(i + 1 + ":" + all[i]);
            }
        }
        return lines;
    }

    private static List<String> split(String text) {
        LineSplitter splitter = new LineSplitter(LIMIT);
        List<LineSplitter.Line> lines = splitter.split(text.getBytes(StandardCharsets.ISO_8859_1));
        lines.addAll(splitter.end());
        return readable(lines);
    }

    private static List<String> readable(List<LineSplitter.Line> lines) {
        return lines.stream().map(line -> line.bytes() == null
                ? line.number() + " is too long"
                : line.number() + ":" + new String(line.bytes(), StandardCharsets.ISO_8859_1)).toList();
    }
}
