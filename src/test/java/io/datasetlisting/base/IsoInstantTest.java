package io.datasetlisting.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Tests which texts {@link IsoInstant} parses. */
class IsoInstantTest {

    @ParameterizedTest
    @CsvSource({"2021-03-04,2021-03-04T00:00:00Z", "2021-03-04T05:06,2021-03-04T05:06:00Z",
            "2021-03-04 05:06,2021-03-04T05:06:00Z", "2021-03-04T05:06:07,2021-03-04T05:06:07Z",
            "2021-03-04T05:06:07Z,2021-03-04T05:06:07Z", "2021-03-04T05:06:07z,2021-03-04T05:06:07Z",
            "2021-03-04T05:06Z,2021-03-04T05:06:00Z", "2021-03-04T05:06:07.9Z,2021-03-04T05:06:07.9Z",
            "2021-03-04T05:06:07.000000001+00:00,2021-03-04T05:06:07.000000001Z",
            "'2021-03-04T05:06:07,25Z',2021-03-04T05:06:07.25Z", "2021-03-04T05:06:07+02,2021-03-04T03:06:07Z",
            "2021-03-04T05:06:07-0130,2021-03-04T06:36:07Z", "2021-03-04T05:06:07+05:45,2021-03-03T23:21:07Z",
            "2020-02-29,2020-02-29T00:00:00Z", "2000-02-29,2000-02-29T00:00:00Z", "0001-01-01,0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z,9999-12-31T23:59:59Z", "0001-01-01T18:00:00+18:00,0001-01-01T00:00:00Z",
            "2024-1-5T9:05:00Z,2024-01-05T09:05:00Z", "2021-3-4,2021-03-04T00:00:00Z",
            "2021-3-4 5:6:7,2021-03-04T05:06:07Z"})
    void validTextsAreParsed(String text, Instant moment) {
        assertEquals(moment, IsoInstant.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "2021", "2021-03", "21-03-04", "2021-003-04", "20210304", "2021-02-30",
            "2021-02-29",
            "1900-02-29", "2021-04-31", "2021-00-01", "2021-01-00", "2021-13-01", "2021-03-04T", "2021-03-04T05",
            "2021-03-04T005:06", "2021-03-04T24:00", "2021-03-04T05:60", "2021-03-04T05:06:60", "2021-03-04T05:06:07.",
            "2021-03-04T05:06:07.1234567890", "2021-03-04T05:06:07+19:00", "2021-03-04T05:06:07+01:60",
            "2021-03-04T05:06:07+1", "2021-03-04Z", "2021-03-04 Z", "2021-03-04T05:06:07 Z", "2021-03-04T05:06:07ZZ",
            "+2021-03-04", "-2021-03-04", "10000-01-01", "0000-01-01", "0001-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-00:01", "٢٠٢١-03-04", "2021-03-04\n", "infinity", "now", "2021-03-04T05:06:07Z\0"})
    void invalidTextsAreNull(String text) {
        assertNull(IsoInstant.parse(text));
    }

    @Property
    void everyInstantOfFourDigitYearsIsParsedWithEveryOffset(
            @ForAll @LongRange(min = -62_135_510_400L, max = 253_402_214_400L) long second,
            @ForAll @IntRange(min = -1080, max = 1080) int offsetMinutes) {
        Instant moment = Instant.ofEpochSecond(second);
        assertEquals(moment, IsoInstant.parse(DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx")
                .format(moment.atOffset(ZoneOffset.ofTotalSeconds(offsetMinutes * 60)))));
    }
}
