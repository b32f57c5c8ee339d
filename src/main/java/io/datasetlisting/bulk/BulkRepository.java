package io.datasetlisting.bulk;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.account.AccountRepository;
import io.datasetlisting.account.AccountRepository.Owner;
import io.datasetlisting.database.Connections;
import io.datasetlisting.dataset.Dataset;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/** Writes many datasets at once, as they are: ids, owners and flags are kept. */
@ApplicationScoped
public class BulkRepository {

    /**
     * A column and how it travels: as an array with one element for each row, where a column that is itself an array
     * has to become text.
     */
    private record Column(String name, String type, IntFunction<Object[]> array, Function<Dataset, Object> value) {

        /** The column as the statement's values have it. */
        String parameterType() {
            return isText() ? "text" : type;
        }

        boolean isText() {
            return type.endsWith("[]") || type.equals("jsonb");
        }

        String expression() {
            return isText() ? name + "::" + type : name;
        }
    }

    private static final List<Column> COLUMNS = List.of(
            new Column("id", "bigint", Long[]::new, d -> d.id),
            new Column("uav_uid", "uuid", UUID[]::new, d -> d.uavUid),
            new Column("owner_id", "bigint", Long[]::new, d -> d.ownerId),
            new Column("owner_name", "text", String[]::new, d -> d.ownerName),
            new Column("workspace", "bigint", Long[]::new, d -> d.workspace),
            new Column("dataset_name", "text", String[]::new, d -> d.datasetName),
            new Column("category", "text[]", String[]::new, d -> arrayLiteral(d.category)),
            new Column("thumbnail_key", "text", String[]::new, d -> d.thumbnailKey),
            new Column("captured_date", "timestamptz", OffsetDateTime[]::new,
                    d -> d.capturedDate.atOffset(ZoneOffset.UTC)),
            new Column("is_private", "boolean", Boolean[]::new, d -> d.isPrivate),
            new Column("is_shareable", "boolean", Boolean[]::new, d -> d.isShareable),
            new Column("available_rasters", "text[]", String[]::new, d -> arrayLiteral(d.availableRasters)),
            new Column("is_deleted", "boolean", Boolean[]::new, d -> d.isDeleted),
            new Column("band_stats", "jsonb", String[]::new, d -> d.bandStats),
            new Column("bbox", "double precision[]", String[]::new, d -> arrayLiteral(d.bbox)),
            new Column("coordinates", "double precision[]", String[]::new,
                    d -> d.coordinates == null ? null : arrayLiteral(d.coordinates)),
            new Column("cant_orthomosaic", "boolean", Boolean[]::new, d -> d.cantOrthomosaic),
            new Column("is_dem_processing", "boolean", Boolean[]::new, d -> d.isDemProcessing),
            new Column("cumulative_adjustment", "double precision", Double[]::new, d -> d.cumulativeAdjustment),
            new Column("latest_adjustment_status", "text", String[]::new, d -> d.latestAdjustmentStatus),
            new Column("latest_adjustment_id", "text", String[]::new, d -> d.latestAdjustmentId));

    /** A dataset keeps these for good; together they say that a line and a row are the same dataset. */
    private static final Set<String> IDENTITY = Set.of("id", "uav_uid");

    /**
     * One array for each column, instead of one execution for each row. xmax tells the inserted rows. PostgreSQL locks the
     * row that has the id and compares the uav_uid with its newest version, so that no concurrent create is replaced. The
     * refused ids are searched for only where fewer rows were written than sent.
     */
    private static final String WRITE = """
            with written as (
                insert into dataset (%s)
                select %s from unnest(%s) as line(%s)
                on conflict (id) do update set %s, version = dataset.version + 1
                where dataset.uav_uid = excluded.uav_uid
                returning id, (xmax = 0) as created)
            select count(*) filter (where created), count(*) filter (where not created),
                case when count(*) = cardinality($1::bigint[]) then '{}'
                else array(select unnest($1::bigint[]) except select id from written) end
            from written"""
            .formatted(join(Column::name), join(Column::expression),
                    join(column -> "$" + (COLUMNS.indexOf(column) + 1) + "::" + column.parameterType() + "[]"),
                    join(Column::name), COLUMNS.stream().map(Column::name).filter(name -> !IDENTITY.contains(name))
                            .map(name -> name + " = excluded." + name).collect(Collectors.joining(", ")));

    /** The database's own ids and workspaces go on behind those that came from elsewhere. */
    private static final String CONTINUE_SEQUENCES = """
            select continue_sequence('dataset_id_seq', $1), continue_sequence('account_workspace_seq', $2)""";

    /** PostgreSQL's classes of errors that are the data's own fault: data exceptions and broken constraints. */
    private static final Set<String> BAD_DATA = Set.of("22", "23");
    /** Two transactions in each other's way: trying again helps. */
    private static final String IN_THE_WAY = "40";
    private static final int TRIES = 5;

    private final Pool pool;
    private final AccountRepository accounts;
    private final Counter imported;

    BulkRepository(Pool pool, AccountRepository accounts, MeterRegistry meters) {
        this.pool = pool;
        this.accounts = accounts;
        imported = Counter.builder("dataset.rows.imported").description("Datasets that came in whole catalogues")
                .register(meters);
    }

    /**
     * What became of a batch.
     *
     * @param created
     *            rows that are new
     * @param replaced
     *            rows that were the same dataset before
     * @param idsOfOthers
     *            the ids of the datasets that were not written, because another dataset has the id
     */
    record Written(int created, int replaced, Set<Long> idsOfOthers) {
    }

    static final String OWNER_IS_ANOTHER = "This id or this name belongs to another account here.";

    private static String join(Function<Column, String> part) {
        return COLUMNS.stream().map(part).collect(Collectors.joining(", "));
    }

    /** Adds the owners who are not there, see {@link AccountRepository#ensure}. */
    Uni<Set<Owner>> ensureOwners(List<Dataset> datasets) {
        return continueSequences(pool, datasets)
                .chain(() -> Connections.inTransaction(pool,
                        connection -> accounts.ensure(connection, owners(datasets))));
    }

    private static Set<Owner> owners(List<Dataset> datasets) {
        return datasets.stream().map(Dataset::owner).collect(Collectors.toSet());
    }

    /** Writes datasets and, first, those of their owners who are not there. Fails where another dataset has an id. */
    public Uni<Void> writeWithOwners(SqlClient client, List<Dataset> datasets) {
        return continueSequences(client, datasets)
                .chain(() -> accounts.ensure(client, owners(datasets)))
                .chain(() -> write(client, datasets))
                .invoke(written -> {
                    if (!written.idsOfOthers.isEmpty()) {
                        throw new IllegalStateException("Other datasets have the ids " + written.idsOfOthers);
                    }
                }).replaceWithVoid();
    }

    /** In one transaction, see {@link #write(SqlClient, List)}. When it is done, it is stored for good. */
    Uni<Written> write(List<Dataset> datasets) {
        return continueSequences(pool, datasets).chain(() -> write(pool, datasets))
                .onFailure(e -> e instanceof PgException pg && pg.getSqlState().startsWith(IN_THE_WAY))
                .retry().atMost(TRIES)
                .invoke(written -> imported.increment(written.created + written.replaced));
    }

    /**
     * What the database has against a dataset, by field.
     *
     * @return null when the failure is not the dataset's fault
     */
    static ObjectNode refusal(Throwable e) {
        if (!(e instanceof PgException pg) || !BAD_DATA.contains(pg.getSqlState().substring(0, 2))) {
            return null;
        }
        String constraint = pg.getConstraint() == null ? "" : pg.getConstraint();
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        switch (constraint) {
            case "dataset_uav_uid_key" -> errors.putArray("uav_uid").add(ofAnother("uav_uid"));
            case "dataset_owner_fkey" -> errors.putArray("user").add(OWNER_IS_ANOTHER);
            default -> errors.putArray("non_field_errors").add(pg.getErrorMessage());
        }
        return errors;
    }

    /** Why a dataset is not written whose id belongs to another dataset. */
    static ObjectNode idRefusal() {
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        errors.putArray("id").add(ofAnother("id"));
        return errors;
    }

    private static String ofAnother(String field) {
        return "Another dataset has this " + field + '.';
    }

    /**
     * Inserts each dataset, or replaces the one with the same id and the same uav_uid. Where another dataset has the id,
     * nothing is written; where another dataset has the uav_uid alone, the statement fails. Their owners have to be there.
     *
     * @param datasets
     *            no id twice
     */
    private static Uni<Written> write(SqlClient client, List<Dataset> datasets) {
        return client.preparedQuery(WRITE).execute(values(datasets)).map(rows -> {
            Row row = rows.iterator().next();
            return new Written(row.getInteger(0), row.getInteger(1), Set.of(row.getArrayOfLongs(2)));
        });
    }

    /**
     * First of all, so that nobody gets an id that these datasets are about to take; and, but for the sample data, in a
     * transaction of its own, so that batches beside each other don't wait for each other.
     */
    private static Uni<?> continueSequences(SqlClient client, List<Dataset> datasets) {
        long id = datasets.stream().mapToLong(dataset -> dataset.id).max().orElseThrow();
        long workspace = datasets.stream().mapToLong(dataset -> dataset.workspace).max().orElseThrow();
        return client.preparedQuery(CONTINUE_SEQUENCES).execute(Tuple.of(id, workspace));
    }

    private static Tuple values(List<Dataset> datasets) {
        Tuple values = Tuple.tuple();
        for (Column column : COLUMNS) {
            Object[] array = column.array.apply(datasets.size());
            for (int i = 0; i < array.length; i++) {
                array[i] = column.value.apply(datasets.get(i));
            }
            values.addValue(array);
        }
        return values;
    }

    private static String arrayLiteral(String[] texts) {
        return Stream.of(texts).map(text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String arrayLiteral(double[] numbers) {
        StringBuilder literal = new StringBuilder("{");
        for (int i = 0; i < numbers.length; i++) {
            literal.append(i == 0 ? "" : ",").append(numbers[i]);
        }
        return literal.append('}').toString();
    }
}
