package io.datasetlisting.catalogue.listing;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.Micros;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads the datasets of a page by their ids. */
@Singleton
public class StoredDatasetRepository {

    private static final String STORED = """
            select d.id, d.version, d.updated_at, d.created_at%s from dataset d where d.id = any ($1)""";

    /** More wide rows would delay the pages behind them on their connection. */
    private static final int MANY = 100;

    private final Reads reads;
    private final DatasetFields fields;

    StoredDatasetRepository(Reads reads, DatasetFields fields) {
        this.reads = reads;
        this.fields = fields;
    }

    /** The datasets of a listing with these ids, as stored now, in any order. Ids without a dataset are skipped. */
    public Uni<List<StoredDataset>> find(List<Long> ids, Caller caller) {
        return find(ids, fields.listed(), caller);
    }

    /** The datasets of a listing with these ids, with all fields. */
    public Uni<List<StoredDataset>> findWhole(List<Long> ids, Caller caller) {
        return find(ids, fields.all(), caller);
    }

    private Uni<List<StoredDataset>> find(List<Long> ids, FieldSelection shown, Caller caller) {
        String sql = STORED.formatted(shown.selectList());
        return ListingRepository
                .read(reads, caller, from -> (ids.size() > MANY ? from.searches() : from.pages()).execute(sql,
                        Tuple.of(ids.toArray(Long[]::new))))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false).map(row -> stored(row, shown)).toList());
    }

    /** The dataset in a row with {@code id, version, updated_at, created_at}, which ends with the columns of these fields. */
    public static StoredDataset stored(Row row, FieldSelection fields) {
        OffsetDateTime created = row.getOffsetDateTime("created_at");
        return new StoredDataset(revision(row), created == null ? null : created.toInstant(),
                fields.read(row, UnaryOperator.identity()));
    }

    public static Revision revision(Row row) {
        return new Revision(row.getLong("id"), row.getLong("version"),
                Micros.of(row.getOffsetDateTime("updated_at")));
    }
}
