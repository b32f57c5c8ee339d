package io.datasetlisting.write.exports;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which part of a file of ten bytes a header asks for. */
class ByteRangeTest {

    private static final int SIZE = 10;

    @ParameterizedTest
    @CsvSource(nullValues = "none", value = {"none,none", "'bytes=0-0',bytes 0-0/10", "'bytes=2-4',bytes 2-4/10",
            "'Bytes = 2-',bytes 2-9/10", "'bytes=-3',bytes 7-9/10", "'bytes=-30',bytes 0-9/10",
            "'bytes=9-400',bytes 9-9/10", "'bytes=10-11',bytes */10", "'bytes=10-',bytes */10", "'bytes=-0',bytes */10",
            "'bytes=4-2',none", "'bytes=-',none", "'bytes=0-1,3-4',none", "'items=0-1',none", "'bytes=a-1',none",
            "'bytes=999999999999999999-',bytes */10", "'bytes=9999999999999999999-',none"})
    void aHeaderAsksForAPart(String header, String part) {
        ByteRange range = ByteRange.of(header, SIZE);
        assertEquals(part, range == null ? null : range.header(SIZE));
    }
}
