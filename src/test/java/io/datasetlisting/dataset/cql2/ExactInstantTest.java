package io.datasetlisting.dataset.cql2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Tests which texts {@link ExactInstant} parses, and that it never rounds. */
class ExactInstantTest {

    @ParameterizedTest
    @CsvSource({"1969-07-20T20:17:40Z,1969-07-20T20:17:40Z", "1985-04-12t23:20:50.52z,1985-04-12T23:20:50.520Z",
            "1996-12-19T16:39:57-08:00,1996-12-20T00:39:57Z", "1937-01-01T12:00:27.87+00:20,1937-01-01T11:40:27.870Z",
            "2020-02-29T00:00:00-00:00,2020-02-29T00:00:00Z", "2020-01-01T00:00:00.123456Z,2020-01-01T00:00:00.123456Z",
            "2020-01-01T00:00:00.12345600000000000000Z,2020-01-01T00:00:00.123456Z",
            "2020-01-01T00:00:00+23:59,2019-12-31T00:01:00Z", "1990-12-31T23:59:60Z,1991-01-01T00:00:00Z",
            "1990-12-31T15:59:60-08:00,1991-01-01T00:00:00Z", "1990-12-31T23:59:60.5Z,1991-01-01T00:00:00.5Z",
            "0000-02-29T00:00:00Z,0000-02-29T00:00:00Z", "0000-01-01T00:00:00+01:00,-0001-12-31T23:00:00Z",
            "9999-12-31T23:59:60Z,+10000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59,+10000-01-01T23:58:59Z"})
    void validTimesAreParsed(String text, Instant floor) {
        assertEquals(new ExactInstant(floor, true), ExactInstant.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"2020-01-01T00:00:00.1234561Z,2020-01-01T00:00:00.123456Z",
            "2020-01-01T00:00:00.1234569999999999999999999999999999999999999999999Z,2020-01-01T00:00:00.123456Z",
            "2020-01-01T00:00:00.9999999Z,2020-01-01T00:00:00.999999Z",
            "1969-12-31T23:59:59.9999999Z,1969-12-31T23:59:59.999999Z",
            "2020-01-01T00:00:00.0000000000000000000000001Z,2020-01-01T00:00:00Z"})
    void aFractionOfAMicrosecondIsNotRounded(String text, Instant floor) {
        assertEquals(new ExactInstant(floor, false), ExactInstant.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "2020", "2020-01-01", "2020-01-01T00:00:00", "2020-01-01T00:00Z",
            "2020-01-01 00:00:00Z", "2020-01-01T00:00:00+0100", "2020-01-01T00:00:00+01", "2020-01-01T00:00:00+24:00",
            "2020-01-01T00:00:00+01:60", "2020-01-01T00:00:00.Z", "2020-01-01T00:00:00,5Z", "2020-01-01T24:00:00Z",
            "2020-01-01T00:60:00Z", "2020-01-01T00:00:61Z", "2020-02-30T00:00:00Z", "2019-02-29T00:00:00Z",
            "2020-00-01T00:00:00Z", "2020-13-01T00:00:00Z", "2020-01-00T00:00:00Z", "20200101T000000Z",
            "+2020-01-01T00:00:00Z", "-2020-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "2020-01-01T00:00:00Z ",
            " 2020-01-01T00:00:00Z", "2020-01-01T00:00:00ZZ", "2020-01-01T00:00:00Z\n", "2020-W01-1T00:00:00Z",
            "٢٠٢٠-01-01T00:00:00Z", "..", "now"})
    void invalidTimesAreNull(String text) {
        assertNull(ExactInstant.parse(text));
    }

    @Test
    void aDateIsItsMidnightInUtc() {
        assertEquals(new ExactInstant(Instant.parse("2020-12-31T00:00:00Z"), true),
                ExactInstant.parseDate("2020-12-31"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2020-1-1", "2020-02-30", "2020-12-31T00:00:00Z", "2020-12-31Z", "20201231"})
    void invalidDatesAreNull(String text) {
        assertNull(ExactInstant.parseDate(text));
    }

    @Property
    void everyMicrosecondOfFourDigitYearsIsParsedWithEveryOffset(
            @ForAll @LongRange(min = -62_167_132_800L, max = 253_402_214_400L) long second,
            @ForAll @IntRange(max = 999_999) int microsecond,
            @ForAll @IntRange(min = -1080, max = 1080) int offsetMinutes) {
        Instant time = Instant.ofEpochSecond(second, microsecond * 1_000L);
        String text = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSxxx")
                .format(time.atOffset(ZoneOffset.ofTotalSeconds(offsetMinutes * 60)));
        assertEquals(new ExactInstant(time, true), ExactInstant.parse(text));
    }
}
