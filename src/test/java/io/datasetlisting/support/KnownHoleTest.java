package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.KnownHole.Library;

class KnownHoleTest {

    private static final List<String> LINES = List.of("# a comment", "", "g:a  (,4.1.132)  CVE-1  note",
            "g:a [4.2.0,4.2.10) CVE-1 note", "g:b [1.0] CVE-2 two words");

    @ParameterizedTest
    @CsvSource({"g:a,4.1.130.Final,1", "g:a,4.1.99,1", "g:a,4.2.9.Final,1", "g:b,1.0,1", "g:a,4.1.132.Final,0",
            "g:a,4.1.140.Final,0", "g:a,4.2.10.Final,0", "g:b,1.1,0", "g:c,4.1.130,0"})
    void aVersionHasTheHolesWhoseRangeContainsIt(String library, String version, int holes) {
        assertEquals(holes, KnownHole.in(List.of(new Library(library, version)), LINES).size());
    }

    @Test
    void aHoleIsNamedWithItsLibraryAndAdvisory() {
        assertEquals(List.of("g:b 1.0 CVE-2 two words"), KnownHole.in(List.of(new Library("g:b", "1.0")), LINES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"g:a", "g:a 4.1.132 CVE-1 note", "g:a (,4.1.132) CVE-1", "g (,1) CVE-1 note",
            "g:a (2,1) CVE-1 note"})
    void aLineThatWouldCheckNothingFails(String line) {
        List<String> lines = List.of(line);
        assertThrows(IllegalArgumentException.class, () -> KnownHole.in(List.of(), lines));
    }
}
