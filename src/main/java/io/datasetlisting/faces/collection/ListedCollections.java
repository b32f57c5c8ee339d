package io.datasetlisting.faces.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.search.ListingExtent;
import io.datasetlisting.catalogue.search.ListingExtents;
import io.datasetlisting.catalogue.search.WorkspaceTextRepository.Text;
import io.datasetlisting.catalogue.search.Workspaces;
import io.datasetlisting.faces.item.SearchValues;

/**
 * The collections of the catalogue, in the order of their list: those that every catalogue has, and then one for each workspace
 * that has public datasets.
 *
 * @param extents
 *            of the datasets that the caller sees
 * @param texts
 *            of workspaces, by number
 */
public record ListedCollections(ListingExtents extents, Workspaces workspaces, Map<Long, Text> texts) {

    private static final int FIXED = ItemCollection.FIXED.size();

    /** A collection with the extent of its datasets that the caller sees. */
    public record Listed(ItemCollection collection, ListingExtent extent) {
    }

    /**
     * A page of the collections that match a search.
     *
     * @param count
     *            of the collections on all pages
     * @param previous
     *            the id of the first collection of the page before this one; null on the first page
     * @param next
     *            the id of the first collection of the next page; null on the last one
     */
    public record Page(List<Listed> collections, int count, String previous, String next) {
    }

    /**
     * A page of a search. A page begins at a collection, or behind its place if it is no longer in the list.
     *
     * @throws ApiException
     *             400 for a token that names no collection
     */
    public Page page(CollectionSearch search) {
        int edge = search.first() == null ? 0 : place(search.first());
        int limit = search.limit();
        List<Integer> matching = new ArrayList<>();
        int from = 0;
        for (int place = 0; place < size(); place++) {
            if (search.isOfAll() || search.matches(get(place))) {
                from += place < edge ? 1 : 0;
                matching.add(place);
            }
        }
        int until = Math.min(from + limit, matching.size());
        return new Page(matching.subList(from, until).stream().map(this::get).toList(), matching.size(),
                from == 0 ? null : id(matching.get(Math.max(0, from - limit))),
                until == matching.size() ? null : id(matching.get(until)));
    }

    private int size() {
        return FIXED + workspaces.size();
    }

    /** The place of a collection, or the one that it would have. */
    private int place(String id) {
        ItemCollection collection = ItemCollection.ofId(id);
        if (collection == null) {
            throw SearchValues.refuse(CollectionSearch.TOKEN, "the token is not of this search.");
        }
        if (collection.workspace() == null) {
            return ItemCollection.FIXED.indexOf(collection);
        }
        int found = workspaces.find(collection.workspace());
        return FIXED + (found < 0 ? -found - 1 : found);
    }

    private String id(int place) {
        return collection(place).id();
    }

    private ItemCollection collection(int place) {
        if (place < FIXED) {
            return ItemCollection.FIXED.get(place);
        }
        long number = workspaces.number(place - FIXED);
        return ItemCollection.ofWorkspace(number).with(texts.getOrDefault(number, Text.NONE));
    }

    private Listed get(int place) {
        ItemCollection collection = collection(place);
        return new Listed(collection,
                place < FIXED ? extent(collection, extents) : workspaces.extent(place - FIXED));
    }

    /** The extent of a collection that every catalogue has. */
    static ListingExtent extent(ItemCollection collection, ListingExtents extents) {
        return switch (ItemCollection.FIXED.indexOf(collection)) {
            case 0 -> extents.all();
            case 1 -> extents.areas();
            default -> extents.points();
        };
    }
}
