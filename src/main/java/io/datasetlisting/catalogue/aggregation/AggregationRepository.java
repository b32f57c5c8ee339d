package io.datasetlisting.catalogue.aggregation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.aggregation.AggregationResult.Bucket;
import io.datasetlisting.catalogue.aggregation.AggregationResult.Value;
import io.datasetlisting.catalogue.column.ColumnRepository;
import io.datasetlisting.catalogue.column.LongCounts;
import io.datasetlisting.catalogue.search.SearchRepository;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;

/** Reads aggregations of the datasets that match a filter. */
@ApplicationScoped
public class AggregationRepository {

    private static final String NAMES = "select id, username from account where id = any ({ids}::bigint[])";

    /** The labels that have no bit. */
    private static final String OTHER_BANDS = """
            select label, count(*) as count
            from (select distinct id, label from dataset cross join unnest(band_labels(band_stats)) label
                  where id = any ({ids}::bigint[])) of_dataset
            where not exists (select from band_mark known where known.label = of_dataset.label)
            group by label""";

    private final ColumnRepository columns;
    private final SearchRepository searches;

    AggregationRepository(ColumnRepository columns, SearchRepository searches) {
        this.columns = columns;
        this.searches = searches;
    }

    /**
     * The aggregations of the datasets that the caller sees in a listing. Fails with an {@link
     * io.datasetlisting.base.ApiException}: 400 for too many buckets.
     */
    public Uni<AggregationResult> read(AggregationRequest request, Caller caller) {
        return searches.resolve(request.filter(), caller)
                .chain(filter -> readResolved(request.with(filter), caller).map(
                        result -> filter.equals(request.filter()) ? result : result.ofSeveralSnapshots()));
    }

    private Uni<AggregationResult> readResolved(AggregationRequest request, Caller caller) {
        return columns.count(ColumnRepository.Request.of(caller, request.filter(), request.columns(), request),
                () -> new Measures(request), (statements, found) -> complete(request, statements, found));
    }

    private static Uni<AggregationResult> complete(AggregationRequest request, StatementRunner statements,
            Measures found) {
        Map<Aggregation, Value> values = found.values();
        return otherBands(statements, found.withOtherBands()).chain(others -> {
            others.addAll(found.bands());
            values.put(Aggregation.DATASET_BANDS_FREQUENCY,
                    Value.ofLargest(Aggregation.DATASET_BANDS_FREQUENCY, others));
            return users(statements, found.owners());
        }).map(users -> {
            values.put(Aggregation.DATASET_USER_FREQUENCY,
                    Value.ofLargest(Aggregation.DATASET_USER_FREQUENCY, users));
            return new AggregationResult(found.listing(), request.aggregations().stream().map(values::get).toList());
        });
    }

    private static Uni<List<Bucket>> otherBands(StatementRunner statements, long[] ids) {
        List<Bucket> buckets = new ArrayList<>();
        return ids.length == 0
                ? Uni.createFrom().item(buckets)
                : statements.execute(ofIds(OTHER_BANDS, ids)).map(rows -> {
                    rows.forEach(row -> buckets.add(new Bucket(row.getString("label"), row.getLong("count"))));
                    return buckets;
                });
    }

    private static Uni<List<Bucket>> users(StatementRunner statements, LongCounts owners) {
        List<Bucket> buckets = new ArrayList<>();
        if (owners.size() == 0) {
            return Uni.createFrom().item(buckets);
        }
        return statements.execute(ofIds(NAMES, owners.keys())).map(rows -> {
            Map<Long, String> names = new HashMap<>();
            rows.forEach(row -> names.put(row.getLong("id"), row.getString("username")));
            owners.forEach((id, count) -> buckets.add(new Bucket(names.get(id), count)));
            return buckets;
        });
    }

    private static Sql ofIds(String template, long[] ids) {
        return Sql.of(template, Map.of("ids", Sql.value(Arrays.stream(ids).boxed().toArray(Long[]::new))));
    }
}
