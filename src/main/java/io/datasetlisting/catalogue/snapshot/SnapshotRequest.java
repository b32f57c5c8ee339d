package io.datasetlisting.catalogue.snapshot;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.Column;
import io.datasetlisting.catalogue.column.Compiler;
import io.datasetlisting.catalogue.query.Intersections;
import io.datasetlisting.dataset.cql2.Expression;

/**
 * What a snapshot is read for.
 *
 * @param filters
 *            which it can select
 * @param columns
 *            that are read besides the ones of the filters
 * @param result
 *            what is computed: concurrent equal requests share one result
 * @param isUsual
 *            whether no condition and no order of a client raises its cost
 */
public record SnapshotRequest(Caller caller, Collection<Expression> filters, Set<Column> columns, Object result,
        boolean isUsual) {

    /** It knows which conditions have a column, but not the ids of accounts and the bits of bands. */
    private static final Compiler WITHOUT_NAMES = new Compiler(Map.of(), Map.of(), false);

    public SnapshotRequest(Caller caller, Collection<Expression> filters, Set<Column> columns, Object result) {
        this(caller, filters, columns, result, false);
    }

    public static SnapshotRequest of(Caller caller, Expression filter, Set<Column> columns, Object result) {
        return new SnapshotRequest(caller, List.of(filter), columns, result);
    }

    /** One snapshot for both requests. */
    public SnapshotRequest and(SnapshotRequest other) {
        return new SnapshotRequest(caller,
                Stream.of(filters, other.filters).flatMap(Collection::stream).distinct().toList(),
                Stream.of(columns, other.columns).flatMap(Set::stream).collect(Collectors.toUnmodifiableSet()),
                List.of(result, other.result), isUsual && other.isUsual);
    }

    /** Whether PostgreSQL is asked for the datasets of a condition, of a text for example. Rare labels of bands do not count. */
    public boolean hasConditionsWithoutColumn() {
        return filters.stream().anyMatch(each -> !Snapshot.rest(each, WITHOUT_NAMES).equals(Expression.ALL));
    }

    /** Whether columns select the datasets of each filter in little time, and without the ids of accounts. */
    public boolean isOfColumns() {
        return filters.stream()
                .allMatch(each -> Compiler.owners(each).isEmpty() && Intersections.all(each).findAny().isEmpty())
                && !hasConditionsWithoutColumn();
    }

    /** Whether each filter finds all datasets. */
    public boolean isOfAllDatasets() {
        return filters.stream().allMatch(Expression.ALL::equals);
    }
}
