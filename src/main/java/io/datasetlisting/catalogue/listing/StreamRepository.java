package io.datasetlisting.catalogue.listing;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.index.GeometryResolver;
import io.datasetlisting.catalogue.query.FilterSql;
import io.datasetlisting.catalogue.query.SelectionSql;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.StoredDataset;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.postgres.replica.Reads;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Cursor;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Streams whole listings: exports, files of items and bare arrays. */
@Startup
@Singleton
public class StreamRepository {

    private static final String STREAM = """
            select d.id, d.version, d.updated_at, d.created_at{columns} from {datasets} d order by {order}""";

    /**
     * Otherwise PostgreSQL goes through the index of the order, splits each name into words, and compares each dataset with each
     * match of a free text.
     */
    private static final String MAY_SORT = "set local enable_sort = on";

    /** What an export of an admin has besides the listing. */
    private static final Set<Visibility> UNLISTED = EnumSet.of(Visibility.DRAFTS, Visibility.DELETED);

    /** A stream has its own time limits, so it may wait longer for a lock than an edit. */
    private static final String STREAM_TIMEOUT = """
            select set_config('statement_timeout', $1, true), set_config('lock_timeout', '0', true)""";

    /** {@link StreamLimits} ends a stream first. PostgreSQL's limit is for a statement that the service could not cancel. */
    private static final Duration AFTER_STREAM_LIMIT = Duration.ofSeconds(5);

    /** The rows of the first fetch of a cursor, and the largest number of rows of a fetch, which is a list of the stream. */
    private static final int FIRST_ROWS = 50;
    private static final int MAX_ROWS = 200;
    /** The characters of a fetch, by the mean of the fetch before. A dataset has 1,000, or 200,000 with many bands. */
    private static final int CHARACTERS = 500_000;

    private final Reads reads;
    private final GeometryResolver geometries;
    private final ThumbnailLinks thumbnails;
    private final DatasetFields fields;
    private final Counter streamed;
    private final String timeoutMillis;

    StreamRepository(Reads reads, GeometryResolver geometries, ThumbnailLinks thumbnails, DatasetFields fields,
            StreamConfig config, MeterRegistry meters) {
        this.reads = reads;
        this.geometries = geometries;
        this.thumbnails = thumbnails;
        this.fields = fields;
        timeoutMillis = Long.toString(config.maxExportTime().plus(AFTER_STREAM_LIMIT).toMillis());
        streamed = Counter.builder("dataset.rows.streamed").description("Datasets that left in whole catalogues")
                .register(meters);
    }

    /**
     * Streams all datasets that match and that the caller sees, some at a time; an admin also sees drafts and deleted datasets.
     * All are of one snapshot. A cursor reads as fast as the subscriber requests. The stream holds a connection until it ends or
     * is cancelled.
     */
    public Multi<List<DatasetView>> export(ListingQuery query, Caller caller) {
        return stream(query, caller, caller.isAdmin() ? UNLISTED : Set.of(),
                filter -> FilterSql.exported(filter, caller));
    }

    /** Streams the datasets of all pages of the listing, and those of other sets. */
    public Multi<List<DatasetView>> stream(ListingQuery query, Caller caller, Set<Visibility> others) {
        return stream(query, caller, others, filter -> FilterSql.visible(filter, caller, others));
    }

    /** Streams all datasets that match and that the caller sees as they are stored; see {@link DatasetFields#orderBy}. */
    public Multi<List<StoredDataset>> streamStored(Expression filter, UnaryOperator<String> order, Caller caller) {
        return stream(filter, Set.of(), fields.all(), order, resolved -> FilterSql.visible(resolved, caller),
                row -> StoredDatasetRepository.stored(row, fields.all()), caller);
    }

    private Multi<List<DatasetView>> stream(ListingQuery query, Caller caller, Set<Visibility> others,
            Function<Expression, List<SelectionSql>> visible) {
        UnaryOperator<String> links = query.fields().hasLink() ? thumbnails.signer()::link : UnaryOperator.identity();
        return stream(query.filter(), others, query.fields(),
                prefix -> fields.orderBy(prefix, query.request().ordering()),
                visible,
                row -> query.fields().read(row, links), caller);
    }

    private <T> Multi<List<T>> stream(Expression filter, Set<Visibility> others, FieldSelection read,
            UnaryOperator<String> order, Function<Expression, List<SelectionSql>> visible, Function<Row, T> reader,
            Caller caller) {
        BiFunction<DatabaseServer, SqlConnection, Multi<List<T>>> work = (server, connection) -> {
            StatementRunner statements = (text, values) -> connection.preparedQuery(text).execute(values);
            Uni<?> ready = FilterSql.hasWords(filter)
                    ? statements.execute(MAY_SORT, Tuple.tuple())
                    : Uni.createFrom().voidItem();
            return ready.chain(() -> geometries.resolve(server, statements, filter, caller, others))
                    .map(resolved -> sql(read, order, visible.apply(resolved)))
                    .onItem().transformToMulti(sql -> rows(connection, statements, sql))
                    .map(rows -> rows.stream().map(reader).toList())
                    .invoke(datasets -> streamed.increment(datasets.size()));
        };
        return reads.stream(caller.mayWrite(), work);
    }

    private static Sql.Statement sql(FieldSelection read, UnaryOperator<String> order, List<SelectionSql> visible) {
        return Sql.of(STREAM, Map.of("columns", Sql.of(read.selectList()),
                "datasets", FilterSql.datasetsFrom(visible, Sql.of(order.apply(""))),
                "order", Sql.of(order.apply("d.")))).statement();
    }

    /** Reads by a cursor, some rows at a time. PostgreSQL sorts an order without an index before it returns the first row. */
    public Multi<List<Row>> rows(SqlConnection connection, StatementRunner statements, Sql.Statement sql) {
        return statements.execute(STREAM_TIMEOUT, Tuple.of(timeoutMillis))
                .chain(() -> statements.lookUp(sql.values()))
                .onItem().transformToMulti(values -> connection.prepare(sql.text()).onItem()
                        // Closed in any case: the next transaction of this backend may prepare one with the same name.
                        .transformToMulti(statement -> fetches(statement.cursor(Tuple.from(values)))
                                .onTermination().call(statement::close)));
    }

    private static Multi<List<Row>> fetches(Cursor cursor) {
        AtomicInteger size = new AtomicInteger(FIRST_ROWS);
        return Multi.createBy().repeating().uni(() -> cursor.read(size.get())).whilst(rows -> cursor.hasMore())
                .select().where(rows -> rows.size() > 0)
                .map(rows -> {
                    List<Row> fetched = StreamSupport.stream(rows.spliterator(), false).toList();
                    long characters = 1 + fetched.stream().mapToLong(StreamRepository::characters).sum();
                    size.set((int) Math.max(1, Math.min(MAX_ROWS, (long) CHARACTERS * fetched.size() / characters)));
                    return fetched;
                });
    }

    /** Of the texts of a row, which may be long. */
    private static long characters(Row row) {
        long characters = 0;
        for (int i = 0; i < row.size(); i++) {
            if (row.getValue(i) instanceof String text) {
                characters += text.length();
            }
        }
        return characters;
    }
}
