package io.datasetlisting.faces.item;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.Endpoints;

/**
 * A collection of OGC API - Features. All datasets are in {@link #DATASETS}, which is also the collection of STAC: each
 * item names it. The others have the same items, divided by the type of their geometry, because a layer of
 * QGIS has one type, and does not draw the features of another one.
 */
public enum ItemCollection {

    DATASETS("Datasets",
            "Datasets of drone and aerial imagery: the public ones, and the private ones that the caller may see.",
            null), AREAS("Datasets, areas",
                    "The datasets whose geometry is an area. Its items are also in the collection datasets, which they "
                            + "name.",
                    new Expression.HasArea()), POINTS("Datasets, points",
                            "The datasets whose geometry is a point. Its items are also in the collection datasets, "
                                    + "which they name.",
                            new Expression.Not(new Expression.HasArea()));

    private final String id;
    private final String title;
    private final String description;
    /** The condition of the items; null for all. */
    private final Expression condition;

    ItemCollection(String title, String description, Expression condition) {
        id = Endpoints.COLLECTION_IDS.get(ordinal());
        this.title = title;
        this.description = description;
        this.condition = condition;
    }

    /** The collection that a path under {@code /stac} belongs to; null for an address of the whole catalogue. */
    public static ItemCollection of(String path) {
        for (ItemCollection collection : values()) {
            if (path.equals(collection.path()) || path.startsWith(collection.path() + '/')) {
                return collection;
            }
        }
        return null;
    }

    public String id() {
        return id;
    }

    public String title() {
        return title;
    }

    public String description() {
        return description;
    }

    /** The address relative to {@code /stac}. */
    public String path() {
        return Endpoints.COLLECTIONS + '/' + id;
    }

    /** The conditions of the items of this collection that are in one of the named ones. All are in {@link #DATASETS}. */
    public List<Expression> named(List<String> ids) {
        if (ids.contains(id) || ids.contains(DATASETS.id)) {
            return List.of();
        }
        List<Expression> any = Arrays.stream(values()).filter(each -> ids.contains(each.id))
                .map(each -> each.condition).toList();
        return any.isEmpty()
                ? List.of(new Expression.Constant(false))
                : any.size() == 1 ? any : List.of(new Expression.Or(any));
    }

    /** The conditions that an item of this collection meets, beside others. */
    public List<Expression> and(List<Expression> others) {
        List<Expression> all = new ArrayList<>();
        if (condition != null) {
            all.add(condition);
        }
        all.addAll(others);
        return all;
    }
}
