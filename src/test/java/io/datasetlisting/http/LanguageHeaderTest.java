package io.datasetlisting.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the choice of a language by {@code Accept-Language}. */
class LanguageHeaderTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", value = {"none | EN", "'' | EN", "de | DE", "de-CH, fr;q=0.9 | DE",
            "en;q=0.5, ar-EG | AR", "pt, es;q=0.3 | ES", "ja | EN", "* | EN", "de;q=abc | EN", ",,, | EN",
            "de;q=0 | EN"})
    void theBestLanguageOfTheHeaderIsChosen(String header, Language expected) {
        assertEquals(expected, Language.ofHeader(header));
    }

    @Test
    void aHeaderThatIsTooLongIsEnglish() {
        assertEquals(Language.EN, Language.ofHeader("de," + "fr,".repeat(3500) + "de"));
    }
}
