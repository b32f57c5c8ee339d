package io.datasetlisting.faces.detail;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.base.place.Direction;
import io.datasetlisting.base.place.Near;

/**
 * Where a dataset lies. The template {@code where} says it in a sentence.
 *
 * @param kilometres
 *            from the town; 0 in the town and near it
 * @param town
 *            with its region and its country
 */
record Where(long kilometres, Direction direction, String town) {

    /** In kilometres. The data of towns are points, and a town is wider. */
    private static final double WIDTH_OF_A_TOWN = 3;

    static Where of(Near near) {
        return new Where(near.kilometres() < WIDTH_OF_A_TOWN ? 0 : Math.round(near.kilometres()), near.direction(),
                Stream.of(near.town().name(), near.town().region(), near.town().country())
                        .filter(part -> !part.isEmpty()).distinct().collect(Collectors.joining(", ")));
    }
}
