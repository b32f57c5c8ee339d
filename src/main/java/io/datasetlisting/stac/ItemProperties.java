package io.datasetlisting.stac;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import io.datasetlisting.cql2.Queryable;
import io.datasetlisting.dataset.DatasetFields;

/** The properties of an item that filters and orders can name. No name of a search reaches the SQL except through these tables. */
@Singleton
public class ItemProperties {

    public static final String COLLECTION_ID = "datasets";

    private static final Queryable UPDATED = new Queryable("updated", Queryable.Type.TIME, "updated_at");

    private static final List<Queryable> WITHOUT_FIELD = List.of(
            new Queryable("collection", Queryable.Type.TEXT, "'" + COLLECTION_ID + "'::text"),
            new Queryable("geometry", Queryable.Type.GEOMETRY, "footprint"),
            UPDATED,
            new Queryable("dataset:bands", Queryable.Type.TEXTS, "band_labels(band_stats)"));

    private final Map<String, Queryable> queryables;
    private final Map<String, Queryable> sortables;

    ItemProperties(DatasetFields fields) {
        queryables = byName(Stream.concat(fields.queryables().stream(), WITHOUT_FIELD.stream()));
        sortables = byName(Stream.concat(fields.sortables().stream(), Stream.of(UPDATED)));
    }

    private static Map<String, Queryable> byName(Stream<Queryable> properties) {
        return Collections.unmodifiableMap(properties.collect(
                Collectors.toMap(Queryable::name, Function.identity(), (one, other) -> one, LinkedHashMap::new)));
    }

    /** The properties that a filter can name, by name. */
    Map<String, Queryable> queryables() {
        return queryables;
    }

    /** The properties that a search can be sorted by, by name. */
    Map<String, Queryable> sortables() {
        return sortables;
    }
}
