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
import io.datasetlisting.catalogue.column.LongCounts;
import io.datasetlisting.catalogue.facet.FacetRepository;
import io.datasetlisting.catalogue.index.ColumnRepository;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;

/** Reads aggregations of the datasets that match a filter. */
@ApplicationScoped
public class AggregationRepository {

    private static final String NAMES = "select id, username from account where id = any ({ids}::bigint[])";

    private final ColumnRepository columns;

    AggregationRepository(ColumnRepository columns) {
        this.columns = columns;
    }

    /**
     * The aggregations of the datasets that the caller sees in a listing. Fails with an {@link
     * io.datasetlisting.base.ApiException}: 400 for too many buckets.
     */
    public Uni<AggregationResult> read(AggregationRequest request, Caller caller) {
        return columns.count(SnapshotRequest.of(caller, request.filter(), request.columns(), request),
                () -> new Measures(request), (statements, found) -> complete(request, statements, found));
    }

    private static Uni<AggregationResult> complete(AggregationRequest request, StatementRunner statements,
            Measures found) {
        Map<Aggregation, Value> values = found.values();
        return FacetRepository.otherBands(statements, found.withOtherBands()).chain(labels -> {
            List<Bucket> others = new ArrayList<>(found.bands());
            labels.forEach((label, count) -> others.add(new Bucket(label, count)));
            values.put(Aggregation.DATASET_BANDS_FREQUENCY,
                    Value.ofLargest(Aggregation.DATASET_BANDS_FREQUENCY, others));
            return users(statements, found.owners());
        }).map(users -> {
            values.put(Aggregation.DATASET_USER_FREQUENCY,
                    Value.ofLargest(Aggregation.DATASET_USER_FREQUENCY, users));
            return new AggregationResult(found.listing(), request.aggregations().stream().map(values::get).toList());
        });
    }

    private static Uni<List<Bucket>> users(StatementRunner statements, LongCounts owners) {
        List<Bucket> buckets = new ArrayList<>();
        if (owners.size() == 0) {
            return Uni.createFrom().item(buckets);
        }
        Sql names = Sql.of(NAMES,
                Map.of("ids", Sql.value(Arrays.stream(owners.keys()).boxed().toArray(Long[]::new))));
        return statements.execute(names).map(rows -> {
            Map<Long, String> byId = new HashMap<>();
            rows.forEach(row -> byId.put(row.getLong("id"), row.getString("username")));
            owners.forEach((id, count) -> buckets.add(new Bucket(byId.get(id), count)));
            return buckets;
        });
    }
}
