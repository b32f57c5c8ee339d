package io.datasetlisting.base.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.base.SearchWords;

class GazetteerTest {

    private final Gazetteer gazetteer = new Gazetteer();

    @Test
    void aPlaceIsFoundByTheBeginningOfAnyWord() {
        assertEquals("Nashville", first("nashv").name());
        assertEquals(List.of("New York"), names("York new", 1));
        assertEquals(List.of("São Paulo", "São Paulo", "Paulo Afonso"), names("paulo", 3));
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
        assertEquals("", first("germ").country());
        assertEquals("China", first("chi").name());
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
    void aBoxAroundAPointCrossesTheAntimeridian() {
        Area area = Area.around(-16.8, -179.95, 25);
        assertEquals(179.815, area.west(), 0.001);
        assertEquals(-179.715, area.east(), 0.001);
    }

    /** The points are of sources other than the boxes: capitals and towns at the edges, and islands far from the coast. */
    @Test
    void theBoxOfAPlaceHoldsAllOfIt() throws IOException {
        Set<String> places = new TreeSet<>();
        List<String> outside = new ArrayList<>();
        for (String line : resource("/place/points.tsv").lines().filter(each -> !each.startsWith("#")).toList()) {
            String[] cells = line.split("\t");
            List<Place> found = gazetteer.find(cells[0], 1);
            found.forEach(place -> places.add(place.name()));
            if (found.stream().noneMatch(place -> contains(place.area(), Double.parseDouble(cells[1]),
                    Double.parseDouble(cells[2])))) {
                outside.add(line + ": " + found);
            }
        }
        assertEquals(List.of(), outside);
        assertTrue(places.size() > 400, () -> places.size() + " places");
    }

    /** Each line has texts that name one island. The first is the suggestion's. */
    @ParameterizedTest
    @ValueSource(strings = {"Sicily|sicily island|SICILIA|Sicile|the island of Sicily|Sizilien|sicily, italy",
            "Crete|Isle of Crete|Kriti|Kreta|Crète|Creta", "Corsica|Corse|corsica island|Korsika|île de Corse",
            "Sardinia|Sardegna|Isola di Sardegna|Cerdeña|sardinia island italy", "Honshu|Honshū|honshu island",
            "Isle of Skye|skye|island of skye|Skye, Inner Hebrides, United Kingdom",
            "Mallorca|Majorca|Isla de Mallorca",
            "Easter Island|easter", "Rarotonga|rarotonga island", "Zanzibar|Zanzibar Island", "Rhodes|Isle of Rhodes",
            "Vancouver Island|vancouver island, canada", "Réunion|Reunion Island|île de la Réunion",
            "Canary Islands|canary|the canary islands|Islas Canarias|Canarias", "Cook Islands|the cook islands",
            "Balearic Islands|Islas Baleares|Baleares", "Hawaii Island|hawaii island, united states",
            "Isle of Man|man island",
            "Galápagos Islands|galapagos|Islas Galápagos"})
    void anIslandIsNamedWithOrWithoutTheWordIsland(String texts) {
        String[] all = texts.split("\\|");
        for (String text : all) {
            Place place = gazetteer.named(text).orElseThrow(() -> new AssertionError(text));
            assertEquals(all[0], place.name(), text);
            assertEquals(first(text), place, text);
        }
    }

    /** An apostrophe, the ʻokina and what people write in its place. The first text of a line is the name in the file. */
    @ParameterizedTest
    @ValueSource(strings = {"Kauai|kaua\u02bbi|Kaua'i|kaua\u2018i|kaua\u2019i|kaua`i", "Hawaii|Hawai'i|Hawai\u02bbi",
            "Molokai|Moloka\u02bbi|moloka'i", "Lihue|L\u012bhu\u02bbe|lihu'e|lihue", "Oahu|O\u02bbahu|O'ahu",
            "Ndjamena|N'Djamena|N\u2019Djamena", "Fraser Island|K'gari|kgari",
            "Qacha's Nek|Qachas Nek|qacha\u2019s nek",
            "L'Aquila|l\u2019aquila|l aquila", "C\u00f4te d'Ivoire|cote d\u2019ivoire|cote d ivoire",
            "Ile D'Oleron|\u00eele d\u2019Ol\u00e9ron|Oleron"})
    void apostrophesAreLeftOut(String texts) {
        String[] all = texts.split("\\|");
        for (String text : all) {
            assertEquals(all[0], gazetteer.named(text).map(Place::name).orElse("no place"), text);
            assertEquals(all[0], first(text).name(), text);
        }
        assertEquals("L'Aquila", first("aquila").name());
    }

    @Test
    void anIslandIsSuggestedWhileItsNameIsTyped() {
        for (String text : List.of("sicil", "sicily i", "sicily is", "sicily isl", "sicily islan", "isle of sicily")) {
            assertEquals("Sicily", first(text).name(), text);
        }
        assertEquals("Victoria Island", first("victoria isl").name());
        assertEquals("Victoria", first("victoria").name());
        assertEquals("United States", first("norfolk").country());
        assertEquals("Inner Hebrides", first("skye").region());
    }

    /**
     * Most people mean one of the places with a name. Each line has texts, the label of the place that they mean, a point in it,
     * and how many degrees its box has at most.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            la palma                               | La Palma, Canary Islands, Spain          | 28.7   | -17.9   | 1
            big island, the big island             | Hawaii Island, Hawaii, United States     | 19.6   | -155.5  | 2
            santa cruz de tenerife                 | Santa Cruz de Tenerife, Spain            | 28.47  | -16.25  | 3
            granada                                | Granada, Spain                           | 37.18  | -3.6    | 3
            valencia                               | Valencia, Spain                          | 39.47  | -0.38   | 2
            barcelona                              | Barcelona, Spain                         | 41.38  | 2.18    | 2
            cartagena                              | Cartagena, Bolívar, Colombia            | 10.4   | -75.51  | 1
            birmingham                             | Birmingham, West Midlands, United Kingdom | 52.48 | -1.9    | 1
            york                                   | York, York, United Kingdom               | 53.96  | -1.08   | 1
            cambridge                              | Cambridge, Cambridgeshire, United Kingdom | 52.2  | 0.12    | 1
            georgia                                | Georgia                                  | 41.7   | 44.8    | 8
            victoria                               | Victoria, Australia                      | -37.8  | 144.96  | 10
            reunion, la reunion                    | Réunion                                  | -21.1  | 55.5    | 2
            long island                            | Long Island, New York, United States     | 40.8   | -73.2   | 3
            south island                           | South Island, New Zealand                | -43.5  | 171     | 9
            north island                           | North Island, New Zealand                | -38.8  | 175.8   | 8
            isle of wight                          | Isle of Wight, England, United Kingdom   | 50.68  | -1.3    | 1
            mallorca, majorca                      | Mallorca, Balearic Islands, Spain        | 39.6   | 3       | 2
            ibiza                                  | Ibiza, Balearic Islands, Spain           | 38.98  | 1.43    | 1
            madeira, madeira islands               | Madeira, Portugal                        | 32.75  | -17     | 4
            prince edward island                   | Prince Edward Island, Canada             | 46.4   | -63.2   | 3
            christmas island                       | Christmas Island                         | -10.49 | 105.63  | 1
            st lucia, saint lucia, st. lucia       | Saint Lucia                              | 13.9   | -60.97  | 1
            st croix                               | Saint Croix, United States Virgin Islands | 17.73 | -64.75  | 1
            mt isa                                 | Mount Isa, Queensland, Australia         | -20.73 | 139.5   | 1
            heraklion                              | Iraklio, Crete, Greece                   | 35.33  | 25.13   | 1
            siena tuscany                          | Siena, Tuscany, Italy                    | 43.32  | 11.33   | 1
            tuscany, toskana, toscana              | Tuscany, Italy                           | 43.77  | 11.25   | 4
            andalusia, andalousie                  | Andalusia, Spain                         | 37.39  | -5.98   | 6
            bretagne, brittany                     | Brittany, France                         | 48.1   | -4      | 5
            bavaria, bayern                        | Bayern, Germany                          | 48.14  | 11.58   | 5
            deutschland, alemania                  | Germany                                  | 52.5   | 13.4    | 10
            """)
    void aNameIsThePlaceThatMostPeopleMean(String texts, String label, double latitude, double longitude, int degrees) {
        for (String text : texts.split(",")) {
            Place place = gazetteer.named(text).orElseThrow(() -> new AssertionError(text));
            assertEquals(label, label(place), text);
            assertEquals(first(text), place, text);
            Area area = place.area();
            assertTrue(contains(area, latitude, longitude), area::toString);
            assertTrue(area.east() - area.west() <= degrees && area.north() - area.south() <= degrees, area::toString);
        }
    }

    @Test
    void aBeginningOfANameIsNoAbbreviation() {
        assertEquals("United States", first("st").name());
        assertEquals("Stockholm", first("sto").name());
    }

    /** Of two lines with the same words a reader cannot know which one to take. */
    @Test
    void noTwoPlacesHaveTheSameLabel() throws IOException {
        Set<String> labels = new HashSet<>();
        assertEquals(List.of(), resource("/place/places.tsv").lines().map(line -> line.split("\t"))
                .map(cells -> String.join(", ", cells[0], cells[2], cells[3])).filter(label -> !labels.add(label))
                .toList());
    }

    private static String label(Place place) {
        return Stream.of(place.name(), place.region(), place.country()).filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    @Test
    void noPlaceIsThereTwice() throws IOException {
        Map<String, List<Area>> boxes = new HashMap<>();
        List<String> twice = new ArrayList<>();
        for (String file : List.of("/place/seas.tsv", "/place/places.tsv")) {
            for (String line : resource(file).lines().filter(each -> each.split("\t").length > 7).toList()) {
                String[] cells = line.split("\t");
                double[] box = Arrays.stream(cells).skip(7).mapToDouble(Double::parseDouble).toArray();
                Area area = new Area(box[0], box[1], box[2], box[3]);
                List<Area> others = boxes.computeIfAbsent(
                        SearchWords.fold(cells[0]).replaceAll(" ?\\b(islands?|isles?|of)\\b ?", ""),
                        name -> new ArrayList<>());
                if (others.stream().anyMatch(other -> share(area, other) > 0.65)) {
                    twice.add(line);
                }
                others.add(area);
            }
        }
        assertEquals(List.of(), twice);
    }

    /** The part of the larger one of two boxes that is in the other one too. */
    private static double share(Area one, Area other) {
        double wide = Math.min(one.east(), other.east()) - Math.max(one.west(), other.west());
        double high = Math.min(one.north(), other.north()) - Math.max(one.south(), other.south());
        double larger = Math.max((one.east() - one.west()) * (one.north() - one.south()),
                (other.east() - other.west()) * (other.north() - other.south()));
        return Math.max(0, wide) * Math.max(0, high) / larger;
    }

    private static boolean contains(Area area, double latitude, double longitude) {
        boolean isEastOfWest = longitude >= area.west();
        boolean isWestOfEast = longitude <= area.east();
        return latitude >= area.south() && latitude <= area.north() && (area.west() <= area.east()
                ? isEastOfWest && isWestOfEast
                : isEastOfWest || isWestOfEast);
    }

    @Test
    void aBoxIsNotMuchLargerThanItsPlace() {
        assertEquals(new Area(174.38, -21.92, -178.01, -12.27), first("fiji").area());
        assertEquals(new Area(-166.03, -22.14, -157.11, -8.74), first("cook isl").area());
        assertTrue(first("United States").area().west() > 170);
        for (String name : List.of("Germany", "Malta", "Barbados", "Nauru", "Luxembourg", "Okinawa", "Réunion", "Crete",
                "Sicily", "Corsica", "Tenerife", "Capri")) {
            Area area = first(name).area();
            assertTrue(area.east() - area.west() < 10 && area.north() - area.south() < 9, () -> name + area);
        }
    }

    @Test
    void anyCountryWithACodeIsKnown() {
        Set<String> unknown = new TreeSet<>();
        for (String code : Locale.getISOCountries()) {
            String name = new Locale("", code).getDisplayCountry(Locale.ENGLISH);
            String words = name.replaceAll("[(-].*|(SAR China|ian Territories)$|St\\.|&", "")
                    .replace("U.S.", "United States")
                    .replace('\u2019', ' ').strip();
            if (gazetteer.find(words, 1).isEmpty()) {
                unknown.add(name);
            }
        }
        assertEquals(Set.of(), unknown);
    }

    @Test
    void seasReefsAndRegionsAreKnown() {
        assertEquals("Red Sea", first("red sea").name());
        assertEquals("Great Barrier Reef", first("great barr").name());
        assertEquals("Japan", first("okinawa").country());
        assertEquals("Persian Gulf", first("persian gulf").name());
        assertEquals(List.of("Caribbean", "Caribbean Netherlands", "Caribbean Sea"), names("caribbean", 3));
    }

    private static String resource(String path) throws IOException {
        try (InputStream stream = GazetteerTest.class.getResourceAsStream(path)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
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
