package io.datasetlisting.faces.card;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.format.BoundingBox;
import io.datasetlisting.faces.ground.SmallMap;
import io.datasetlisting.faces.web.ValueLabels;
import io.datasetlisting.http.Language;

/**
 * What a list shows of a dataset.
 *
 * @param name
 *            its title, see {@link DatasetView#title}
 * @param owner
 *            the username
 * @param thumbnail
 *            signed link; null without a picture
 * @param map
 *            in place of a picture; null with a picture, and for a draft
 * @param captured
 *            a time in UTC, as in an item
 * @param place
 *            the coordinates in words; empty for a draft
 * @param box
 *            west, south, east, north in degrees, separated by commas; empty for a draft
 */
public record Card(long id, String name, String owner, String thumbnail, SmallMap map, String captured, List<Tag> tags,
        String place, String box, boolean isPrivate) {

    /**
     * One of the values of a field.
     *
     * @param kind
     *            the class of the element
     */
    public record Tag(String kind, String text) {
    }

    /**
     * @param link
     *            makes the link of the thumbnail from the value of its field; null without a picture
     */
    public static Card of(DatasetView dataset, UnaryOperator<String> link) {
        List<Tag> tags = new ArrayList<>();
        dataset.forEach((field, value) -> {
            if (field.tag() != null) {
                for (Object text : value instanceof Object[] texts ? texts : new Object[]{value}) {
                    tags.add(new Tag(field.tag(), text.toString()));
                }
            }
        });
        BoundingBox box = BoundingBox.of(dataset.bbox(), dataset.coordinates());
        String thumbnail = link.apply((String) dataset.get("thumbnail_image"));
        return new Card(dataset.id(), dataset.title(), dataset.owner(), thumbnail,
                thumbnail == null && box != null ? SmallMap.of(box) : null, dataset.get("captured_date").toString(),
                tags,
                place(dataset.coordinates()), box(box), (Boolean) dataset.get("is_private"));
    }

    /** The card with the names of its tags in a language. */
    Card in(Language language) {
        return new Card(id, name, owner, thumbnail, map, captured,
                tags.stream().map(tag -> new Tag(tag.kind, ValueLabels.of(tag.kind, tag.text, language))).toList(),
                place, box, isPrivate);
    }

    /** The day in UTC. */
    public String day() {
        return captured.substring(0, captured.indexOf('T'));
    }

    /** The moment of capture for people, see {@link #moment}. */
    public String moment() {
        return moment(captured);
    }

    /**
     * A moment for people: the day in UTC, which filters mean too, and the time unless it is midnight. The script shows the same
     * in the language of the reader.
     *
     * @param time
     *            as in the JSON
     */
    public static String moment(String time) {
        int start = time.indexOf('T');
        String day = time.substring(0, start);
        return time.endsWith("T00:00:00Z") ? day : day + ' ' + time.substring(start + 1, start + 6) + " UTC";
    }

    /**
     * A position in words.
     *
     * @param coordinates
     *            {@code [latitude, longitude]} in degrees, or empty
     */
    public static String place(double[] coordinates) {
        return coordinates.length == 0
                ? ""
                : degrees(coordinates[0], "° N", "° S") + ", " + degrees(coordinates[1], "° E", "° W");
    }

    /** With four digits, rounded. A formatter takes a tenth of the CPU time of a page. */
    private static String degrees(double value, String positive, String negative) {
        long rounded = Math.round(Math.abs(value) * 10_000);
        String fraction = Long.toString(rounded % 10_000 + 10_000).substring(1);
        return rounded / 10_000 + "." + fraction + (value < 0 ? negative : positive);
    }

    private static String box(BoundingBox box) {
        return box == null ? "" : box.west() + "," + box.south() + "," + box.east() + "," + box.north();
    }
}
