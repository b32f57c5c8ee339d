package io.datasetlisting.dataset.cql2;

import org.locationtech.jts.geom.Geometry;

/** A part of a filter that is read, but not yet compared with another part. */
sealed interface Term {

    Place place();

    record Property(Expression.Operand operand, Place place) implements Term {
    }

    record Value(Expression.Literal literal, Place place) implements Term {
    }

    /**
     * A geometry, or a box.
     *
     * @param geometry
     *            null for a box that is above or below every item
     */
    record Shape(Geometry geometry, Place place) implements Term {
    }

    record Condition(Expression expression, Place place) implements Term {
    }
}
