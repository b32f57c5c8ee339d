package io.datasetlisting.faces.collection;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.SearchWords;
import io.datasetlisting.catalogue.search.ListingExtent;
import io.datasetlisting.dataset.cql2.ExactInstant;
import io.datasetlisting.faces.item.DatetimeInterval;
import io.datasetlisting.faces.item.FreeTextTerms;
import io.datasetlisting.faces.item.SearchValues;

/**
 * The conditions of a list of collections.
 *
 * @param corners
 *            four or six numbers; null without a box
 * @param time
 *            null without a time
 * @param terms
 *            as words, of which those of one term follow each other in a text of a match; empty without a condition
 * @param first
 *            the id of the first collection of the page; null for the first page
 *
 * @see <a href="https://github.com/stac-api-extensions/collection-search">Collection search extension of STAC API</a>
 */
public record CollectionSearch(int limit, double[] corners, DatetimeInterval time, List<String> terms, String first) {

    public static final String TOKEN = "token";
    public static final Set<String> PARAMETERS = Set.of("limit", "bbox", "datetime", "q", TOKEN);

    /** @throws io.datasetlisting.base.ApiException 400 for a malformed member */
    public static CollectionSearch parse(ObjectNode body) {
        JsonNode words = body.path("q");
        List<String> terms = words.isMissingNode()
                ? List.of()
                : FreeTextTerms.parse(words).stream().map(CollectionSearch::words).toList();
        return new CollectionSearch(SearchValues.limit(body),
                body.has("bbox") ? SearchValues.corners(body.get("bbox")) : null,
                body.has("datetime") ? DatetimeInterval.parse(SearchValues.text(body, "datetime")) : null, terms,
                body.has(TOKEN) ? SearchValues.text(body, TOKEN) : null);
    }

    /** Whether each collection matches. */
    boolean isOfAll() {
        return corners == null && time == null && terms.isEmpty();
    }

    /** Whether a collection meets the conditions. Its extent is open without datasets. */
    boolean matches(ListedCollections.Listed listed) {
        ListingExtent extent = listed.extent();
        return (corners == null || extent.box() == null || touches(extent.box()))
                && (time == null || extent.first() == null || overlaps(extent.first(), extent.last()))
                && (terms.isEmpty() || hasTerm(listed.collection()));
    }

    private boolean touches(List<Double> box) {
        int axes = corners.length / 2;
        boolean isOnGround = axes == 2 || corners[2] <= 0 && corners[5] >= 0;
        double west = corners[0];
        double east = corners[axes];
        boolean isEastOfWest = box.get(2) >= west;
        boolean isWestOfEast = box.get(0) <= east;
        return isOnGround && box.get(3) >= corners[1] && box.get(1) <= corners[axes + 1]
                && (west > east ? isEastOfWest || isWestOfEast : isEastOfWest && isWestOfEast);
    }

    private boolean overlaps(Instant first, Instant last) {
        ExactInstant start = time.start();
        ExactInstant end = time.end();
        return (start == null || start.floor().isBefore(last) || start.isExact() && start.floor().equals(last))
                && (end == null || !end.floor().isBefore(first));
    }

    /** The words are those of a search for items: workspace 7 is not workspace 70. */
    private boolean hasTerm(ItemCollection collection) {
        return Stream.of(collection.id(), collection.title(), collection.description()).map(CollectionSearch::words)
                .anyMatch(text -> !text.isBlank() && terms.stream().anyMatch(text::contains));
    }

    private static String words(String text) {
        return ' ' + SearchWords.fold(text) + ' ';
    }
}
