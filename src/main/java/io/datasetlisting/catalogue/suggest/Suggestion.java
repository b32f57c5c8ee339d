package io.datasetlisting.catalogue.suggest;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.base.place.Area;
import io.datasetlisting.base.place.Place;

/**
 * A filter that a person may have meant.
 *
 * @param isRare
 *            whether few datasets have the word of the name
 * @param detail
 *            the region and country of a place; otherwise null
 * @param count
 *            the datasets that the caller finds with it; null for a place and coordinates
 * @param parameter
 *            of the page, which gets the value; {@code id} for a dataset
 */
public record Suggestion(Kind kind, boolean isRare, String text, String detail, Long count, String parameter,
        String value) {

    /** What is suggested. */
    public enum Kind {

        NAME, OWNER, CATEGORY, DATASET, PLACE, COORDINATES;

        /** Its name in a response. */
        String lower() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Far enough to see where a point lies. */
    private static final double KILOMETRES_AROUND_A_POINT = 25;

    /** A suggestion that is not counted yet. */
    static Suggestion uncounted(Kind kind, String text, String parameter, String value) {
        return new Suggestion(kind, false, text, null, null, parameter, value);
    }

    /** A text with a word. */
    static Suggestion ofName(Word word, String text) {
        return new Suggestion(Kind.NAME, word.isRare(), text, null, null, "search", text);
    }

    static Suggestion of(Place place) {
        String detail = Stream.of(place.region(), place.country()).filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
        return new Suggestion(Kind.PLACE, false, place.name(), detail.isEmpty() ? null : detail, null, "in_bbox",
                place.area().toString());
    }

    static Suggestion of(Coordinates point) {
        return uncounted(Kind.COORDINATES, point.latitude() + ", " + point.longitude(), "in_bbox",
                Area.around(point.latitude(), point.longitude(), KILOMETRES_AROUND_A_POINT).toString());
    }

    Suggestion counted(long datasets) {
        return new Suggestion(kind, isRare, text, detail, datasets, parameter, value);
    }
}
