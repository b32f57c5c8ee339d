package io.datasetlisting.write.bulk;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import jakarta.enterprise.context.ApplicationScoped;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.AccountRepository;
import io.datasetlisting.access.account.AccountRepository.Owner;
import io.datasetlisting.access.account.AuditAction;
import io.datasetlisting.access.account.AuditRepository;
import io.datasetlisting.access.account.Author;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetField.ImportColumn;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.FieldType;
import io.datasetlisting.postgres.database.Connections;
import io.datasetlisting.postgres.database.DatabaseFailure;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/** Writes many datasets in one statement, with their ids, owners and flags. */
@Startup
@ApplicationScoped
public class BulkRepository {

    /** An import replaces a dataset only if both of these are the same. */
    private static final Set<String> IDENTITY = Set.of("id", "uav_uid");

    /**
     * One array parameter for each column, and one execution for all rows. A row that is equal to the stored one is not written,
     * so that clients of the feed and caches of pages have no change to read. {@code xmax} distinguishes inserted rows.
     * PostgreSQL locks the row with the same id and compares the uav_uid of its newest version, so a concurrently
     * created dataset is never replaced. Rows are locked in the order of ids, and the import's entry of the audit is locked last,
     * so that two batches cannot deadlock. The refused ids are searched only if fewer rows were written than sent.
     */
    private static final String WRITE = """
            with changed as (
                select line.* from (select %2$s from unnest(%3$s) as line(%1$s)) line left join dataset using (id)
                where (%7$s) is distinct from (%8$s)),
            written as (
                insert into dataset (%1$s)
                select %1$s from changed order by id
                on conflict (id) do update set %4$s, version = dataset.version + 1
                where dataset.uav_uid = excluded.uav_uid
                returning id, (xmax = 0) as created),
            counts as (
                select count(*) filter (where created) as created,
                    cardinality(%5$s) - (select count(*) from changed) + count(*) filter (where not created) as replaced
                from written),
            noted as (
                update audit set created = audit.created + counts.created, replaced = audit.replaced + counts.replaced
                from counts where audit.id = %6$s)
            select created, replaced,
                case when created + replaced = cardinality(%5$s) then '{}'
                else array(select id from changed except select id from written) end as others
            from counts""";

    /**
     * Generated ids and workspaces start after the imported ones. A number of the upper half does not move a sequence: an import
     * of one dataset could use up all numbers.
     */
    private static final String CONTINUE_SEQUENCES = """
            select continue_sequence(sequence, used)
            from (values ('dataset_id_seq'::regclass, $1::bigint), ('account_workspace_seq', $2::bigint)) each (sequence, used)
            where used <= 1::bigint << 52""";

    /**
     * The numbers of datasets by their uav_uid, and what their rows do not have; the next numbers for new ones, in the order of
     * the rows. Only the owner sets a thumbnail.
     */
    private static final String NUMBER = """
            select uav_uid, coalesce(id, nextval('dataset_id_seq')) as id, owner_id, owner_name, thumbnail_key
            from (select line.uav_uid, d.id, d.owner_id, d.owner_name, d.thumbnail_key
                from unnest($1::uuid[]) with ordinality line (uav_uid, row) left join dataset d using (uav_uid)
                order by line.row) each""";

    /** PostgreSQL's error classes of bad data: data exceptions and constraint violations. */
    private static final Set<String> BAD_DATA = Set.of("22", "23");
    /** Retries of a batch that waits for a lock. */
    private static final int RETRIES = 4;

    private final Pool pool;
    private final AccountRepository accounts;
    private final List<ImportColumn<?>> columns;
    private final String writeSql;
    private final Counter imported;

    BulkRepository(Pool pool, AccountRepository accounts, DatasetFields fields,
            MeterRegistry meters) {
        this.pool = pool;
        this.accounts = accounts;
        columns = fields.importColumns();
        writeSql = writeSql();
        imported = Counter.builder("dataset.rows.imported").description("Datasets that came in whole catalogues")
                .register(meters);
    }

    /**
     * The result of a batch.
     *
     * @param created
     *            inserted rows
     * @param replaced
     *            updated rows, and rows that were equal to their datasets
     * @param idsOfOthers
     *            ids of datasets that were not written, because another dataset has the id
     */
    record Written(int created, int replaced, Set<Long> idsOfOthers) {
    }

    private String writeSql() {
        return WRITE.formatted(join(ImportColumn::name), join(BulkRepository::expression), join(this::parameter),
                columns.stream().map(ImportColumn::name).filter(name -> !IDENTITY.contains(name))
                        .map(name -> name + " = excluded." + name).collect(Collectors.joining(", ")),
                columns.stream().filter(column -> column.name().equals("id")).map(this::parameter).findFirst()
                        .orElseThrow(),
                "$" + (columns.size() + 1) + "::bigint",
                join(column -> "line." + column.name()), join(column -> "dataset." + column.name()));
    }

    private String join(Function<ImportColumn<?>, String> part) {
        return columns.stream().map(part).collect(Collectors.joining(", "));
    }

    /** The array of the column's values. */
    private String parameter(ImportColumn<?> column) {
        return "$" + (columns.indexOf(column) + 1) + "::" + column.type().parameter() + "[]";
    }

    /** An element of the array, cast to the type of the column. */
    private static String expression(ImportColumn<?> column) {
        FieldType<?> type = column.type();
        return type.parameter().equals(type.sql())
                ? column.name()
                : column.name() + "::" + type.sql() + " as " + column.name();
    }

    /**
     * Adds owners that do not exist, see {@link AccountRepository#ensure}. Without a workspace for a new account, no owner is
     * added.
     */
    Uni<Map<Owner, String>> ensureOwners(List<Dataset> datasets, Author author) {
        return patiently(connection -> continueSequences(connection, datasets))
                .chain(() -> patiently(connection -> accounts.ensure(connection, owners(datasets), author)))
                .onFailure(DatabaseFailure::isSequenceExhausted)
                .recoverWithUni(() -> accounts.withoutAccount(pool, owners(datasets)));
    }

    private static Set<Owner> owners(List<Dataset> datasets) {
        return datasets.stream().map(Dataset::owner).collect(Collectors.toSet());
    }

    /**
     * Writes datasets of the service itself, and before them the owners that do not exist. Fails if another dataset has an id.
     */
    public Uni<Void> writeWithOwners(SqlClient client, List<Dataset> datasets) {
        return continueSequences(client, datasets)
                .chain(() -> accounts.ensure(client, owners(datasets), Author.SERVICE))
                .chain(() -> write(client, null, datasets))
                .invoke(written -> {
                    if (!written.idsOfOthers.isEmpty()) {
                        throw new IllegalStateException("Other datasets have the ids " + written.idsOfOthers);
                    }
                }).replaceWithVoid();
    }

    /** The number of a new import in the audit, to which each batch adds its counts. */
    Uni<Long> beginImport(Author author) {
        return Connections.inTransaction(pool, connection -> AuditRepository.addCounts(connection, author,
                AuditAction.IMPORT_DATASETS, new Long[0], 0));
    }

    /**
     * Gives datasets without a number the number, the owner and the thumbnail of the dataset with the same uav_uid, or a new
     * number.
     *
     * @param datasets
     *            each uav_uid at most once
     */
    Uni<Void> number(List<Dataset> datasets) {
        if (datasets.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        Map<UUID, Dataset> byUid = datasets.stream().collect(Collectors.toMap(dataset -> dataset.uavUid, each -> each));
        UUID[] uids = datasets.stream().map(dataset -> dataset.uavUid).toArray(UUID[]::new);
        return pool.preparedQuery(NUMBER).execute(Tuple.of(uids)).invoke(rows -> {
            for (Row row : rows) {
                Dataset dataset = byUid.get(row.getUUID("uav_uid"));
                dataset.id = row.getLong("id");
                if (row.getLong("owner_id") != null) {
                    dataset.ownerId = row.getLong("owner_id");
                    dataset.ownerName = row.getString("owner_name");
                    dataset.thumbnailKey = row.getString("thumbnail_key");
                }
            }
        }).replaceWithVoid();
    }

    /** Writes a batch in one transaction. The rows are committed when the result arrives. */
    Uni<Written> write(long importId, List<Dataset> datasets) {
        return patiently(connection -> continueSequences(connection, datasets))
                .chain(() -> patiently(connection -> write(connection, importId, datasets)))
                .invoke(written -> imported.increment(written.created + written.replaced));
    }

    /** Runs a write in a transaction. No client waits for a batch, so it waits longer for a lock than the edit of one dataset. */
    private <T> Uni<T> patiently(Function<SqlConnection, Uni<T>> write) {
        return Connections.inTransaction(pool, write).onFailure(DatabaseFailure::isLockTimeout).retry().atMost(RETRIES);
    }

    /**
     * The refusal of a dataset by the database, by field.
     *
     * @return
     *            null when the failure has another cause than the dataset
     */
    static ObjectNode refusal(Throwable e) {
        if (!(e instanceof PgException pg) || !BAD_DATA.contains(pg.getSqlState().substring(0, 2))) {
            return null;
        }
        String constraint = pg.getConstraint() == null ? "" : pg.getConstraint();
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        switch (constraint) {
            case "dataset_uav_uid_key" -> errors.putArray("uav_uid").add(ofAnother("uav_uid"));
            case "dataset_owner_fkey" -> errors.putArray("user").add("The account of this user has changed.");
            default -> errors.putArray("non_field_errors").add(pg.getErrorMessage());
        }
        return errors;
    }

    /** The refusal of a dataset whose id another dataset has. */
    static ObjectNode idRefusal() {
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        errors.putArray("id").add(ofAnother("id"));
        return errors;
    }

    private static String ofAnother(String field) {
        return "Another dataset has this " + field + '.';
    }

    /**
     * Inserts each dataset, or replaces the dataset with the same id and uav_uid if it differs. If another dataset has the
     * id, the row is not written. If another dataset has only the uav_uid, the statement fails. The owners must exist.
     *
     * @param importId
     *            null for a write of the service itself
     * @param datasets
     *            each id at most once
     */
    private Uni<Written> write(SqlClient client, Long importId, List<Dataset> datasets) {
        return client.preparedQuery(writeSql).execute(values(datasets).addValue(importId)).map(rows -> {
            Row row = rows.iterator().next();
            return new Written(row.getInteger("created"), row.getInteger("replaced"),
                    Set.of(row.getArrayOfLongs("others")));
        });
    }

    /**
     * Runs before the insert, so that no concurrent create gets an id that these datasets take. It is a transaction of its
     * own, except for sample data and mirrors, so that concurrent batches do not wait for each other.
     */
    private static Uni<Void> continueSequences(SqlClient client, List<Dataset> datasets) {
        long id = datasets.stream().mapToLong(dataset -> dataset.id).max().orElseThrow();
        long workspace = datasets.stream().mapToLong(dataset -> dataset.workspace).max().orElseThrow();
        return client.preparedQuery(CONTINUE_SEQUENCES).execute(Tuple.of(id, workspace)).replaceWithVoid();
    }

    private Tuple values(List<Dataset> datasets) {
        Tuple values = Tuple.tuple();
        columns.forEach(column -> values.addValue(column.values(datasets)));
        return values;
    }
}
