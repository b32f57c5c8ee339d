package io.datasetlisting.base.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class GazetteerTest {

    private final Gazetteer gazetteer = new Gazetteer();

    @Test
    void aPlaceIsFoundByTheBeginningOfAnyWord() {
        assertEquals("Nashville", first("nashv").name());
        assertEquals(List.of("New York"), names("York new", 1));
        assertEquals(List.of("São Paulo", "Paulo Afonso"), names("paulo", 2));
        assertEquals(List.of(), names("ashville ten", 5));
    }

    @Test
    void caseAndAccentsDoNotMatter() {
        assertEquals("São Paulo", first("SAO PAULO").name());
        assertEquals("Malmö", first("malmo").name());
        assertEquals("Wrocław", first("wroclaw").name());
        assertEquals("Wrocław", first("Breslau").name());
    }

    @Test
    void largerPlacesComeFirstAndACountryBeforeThem() {
        assertEquals("France", first("paris").country());
        assertEquals("Germany", first("germ").name());
        assertTrue(first("germ").isCountry());
    }

    @Test
    void aRegionOrCountryTellsPlacesApart() {
        assertEquals("Canada", first("London, Can").country());
        assertEquals("United Kingdom", first("london united kingdom").country());
        assertEquals("Tennessee", first("Nashville, Tennessee").region());
    }

    @Test
    void theNearestTownIsNamedWithDistanceAndDirection() {
        Near near = gazetteer.near(36.28, -86.78).orElseThrow();
        assertEquals("Nashville, Tennessee, United States",
                near.town().name() + ", " + near.town().region() + ", " + near.town().country());
        assertEquals(12.2, near.kilometres(), 0.1);
        assertEquals(Direction.NORTH, near.direction());
    }

    @Test
    void aTownBeyondTheDateLineIsNear() {
        assertEquals("Labasa", gazetteer.near(-16.5, -179.9).orElseThrow().town().name());
        assertEquals(Direction.EAST, gazetteer.near(-16.5, -179.9).orElseThrow().direction());
    }

    @Test
    void noTownIsNearInAnOcean() {
        assertTrue(gazetteer.near(-30, -20).isEmpty());
    }

    @Test
    void aPlaceHasAnAreaAroundIt() {
        Area nashville = first("Nashville").area();
        assertTrue(nashville.west() < -86.78 && nashville.east() > -86.78 && nashville.south() < 36.17
                && nashville.north() > 36.17);
        assertEquals(0.45, nashville.north() - nashville.south(), 0.01);
        assertEquals(90, Area.around(90, 0, 100).north());
        Area france = first("France").area();
        assertTrue(france.south() > 40 && france.west() > -6, france::toString);
    }

    @Test
    void hostileTextFindsNothing() {
        for (String text : List.of("", " ", "%", "\u0000", "\ud800", "😀", "a".repeat(10_000), "\\")) {
            assertEquals(List.of(), names(text, 8), text);
        }
        assertFalse(names("a\u0000b", 8).contains(null));
    }

    /** A page of datasets asks for as many towns as it has cards. */
    @Test
    void theNearestTownIsFoundInLessThan50Microseconds() {
        long best = IntStream.range(0, 20).mapToLong(round -> {
            long start = System.nanoTime();
            for (int i = 0; i < 500; i++) {
                gazetteer.near(i % 170 - 85, i * 7 % 360 - 180);
            }
            return System.nanoTime() - start;
        }).min().orElseThrow();
        assertTrue(best / 500 < 50_000, () -> best / 500 + " ns");
    }

    private Place first(String text) {
        return gazetteer.find(text, 1).get(0);
    }

    private List<String> names(String text, int limit) {
        return gazetteer.find(text, limit).stream().map(Place::name).toList();
    }
}
