package io.datasetlisting.base.place;

import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * Finds towns, countries, provinces, islands and seas by their names, and the nearest town of a point. See the README in the
 * folder of the data.
 */
@Singleton
public class Gazetteer {

    /** A town that is farther away does not say where a point lies. */
    private static final double FARTHEST = 300;
    private static final int MAX_TEXT = 100;
    private static final int MAX_NAMESAKES = 100;

    /** The JVM reads the data when this class is used for the first time. */
    private static final class Data {

        private static final PlaceTable PLACES = PlaceTable.read();
    }

    /** Reads the data, which takes about 100 milliseconds, on a thread on which no request waits. */
    void onStart(@Observes StartupEvent event) {
        Infrastructure.getDefaultExecutor().execute(() -> near(0, 0));
    }

    /**
     * Places that have, for each word of the text, a word that begins with it. The first word is one of the place's name, the
     * others may be words of its region or country, or island. A place with exactly this name comes first, then countries, then
     * seas, parts of countries and regions of the world, then larger towns, provinces and islands before smaller ones.
     */
    public List<Place> find(String text, int limit) {
        return rows(text, limit).map(Data.PLACES::place).toList();
    }

    /** The first of the places that have this name, which the names of the region and country may follow. */
    public Optional<Place> named(String text) {
        return rows(text, MAX_NAMESAKES).filter(row -> Data.PLACES.isNamed(row, fold(text))).findFirst()
                .map(Data.PLACES::place);
    }

    /**
     * The places whose names have the first letter of a text and few mistakes, the fewest first.
     *
     * @param mistakes
     *            how many a name has
     */
    public List<Place> similar(String text, ToIntFunction<String> mistakes, int max, int limit) {
        String folded = fold(text);
        return folded.isEmpty()
                ? List.of()
                : Data.PLACES.similar(folded.charAt(0), mistakes, max).limit(limit).map(Data.PLACES::place).toList();
    }

    /** Whether a place has this name, and this box. */
    public static boolean isPlace(String name, String box) {
        return rows(name, MAX_NAMESAKES).map(Data.PLACES::place)
                .anyMatch(place -> place.name().equals(name) && place.area().toString().equals(box));
    }

    private static Stream<Integer> rows(String text, int limit) {
        String folded = fold(text);
        return folded.isEmpty() ? Stream.empty() : Data.PLACES.find(folded).limit(limit);
    }

    private static String fold(String text) {
        return PlaceTable.fold(text.substring(0, Math.min(text.length(), MAX_TEXT)));
    }

    /** The town that is nearest to a point; empty if no town is near. */
    public Optional<Near> near(double latitude, double longitude) {
        Place town = Data.PLACES.place(Data.PLACES.nearestTown(latitude, longitude));
        Near near = Near.of(town, latitude, longitude);
        return near.kilometres() > FARTHEST ? Optional.empty() : Optional.of(near);
    }
}
