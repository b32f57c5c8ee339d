package io.datasetlisting.write.edit;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;

import org.hibernate.exception.ConstraintViolationException;
import org.hibernate.reactive.mutiny.Mutiny;

import io.datasetlisting.access.account.AuditAction;
import io.datasetlisting.access.account.AuditRepository;
import io.datasetlisting.access.account.Author;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DeletedConfig;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.postgres.database.Connections;
import io.datasetlisting.postgres.replica.Reads;
import io.quarkus.hibernate.reactive.panache.Panache;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads and writes single datasets, and creates several in one transaction. */
@ApplicationScoped
public class DatasetEditRepository {

    // All statements are selects, because Hibernate Reactive warns about each native update when the session ends.

    /** A key that is older than a day may be used for another request. */
    private static final String CLAIM_KEY = """
            with claimed as (
                insert into idempotency_key (account_id, key, request) values (:account, :key, :request)
                on conflict (account_id, key) do update
                    set request = excluded.request, response = null, created = now()
                    where idempotency_key.created < now() - interval '1 day'
                returning 1)
            select count(*) from claimed""";

    private static final String FIND_ANSWER = """
            select request, response from idempotency_key where account_id = :account and key = :key""";

    /**
     * Also deletes expired keys: at most 100, so that one create does not pay for the keys of a whole day, and none
     * that another create is deleting.
     */
    private static final String KEEP_ANSWER = """
            with kept as (
                update idempotency_key set response = :response where account_id = :account and key = :key returning 1),
            forgotten as (
                delete from idempotency_key where (account_id, key) in (
                    select account_id, key from idempotency_key where created < now() - interval '1 day'
                    limit 100 for update skip locked)
                returning 1)
            select count(*) from kept""";

    private static final String FIND_PUBLIC = """
            select d.version, d.updated_at%s from dataset d
            where d.id = $1 and not d.is_deleted and not d.is_private and d.coordinates is not null""";

    private static final String OWNER = "select username from account where id = :id and not disabled";

    private static final String IS_RESTORABLE = """
            select updated_at >= now() - make_interval(secs => :keep) from dataset where id = :id""";

    /** The constraint that fails when an import or SQL has used the id. */
    private static final String ID_IS_TAKEN = "dataset_pkey";
    /** An id of the upper half does not move the sequence, as in an import: one dataset could use up all ids. */
    private static final String CONTINUE_IDS = """
            select cast(continue_sequence('dataset_id_seq', max(id)) as text) from dataset
            where id <= cast(1 as bigint) << 52""";
    /** The constraint that fails when the owner of a new dataset has another name than its token, see {@link #readOwner}. */
    private static final String OWNER_IS_RENAMED = "dataset_owner_fkey";
    private static final int RETRIES = 3;

    private final Reads reads;
    private final FieldSelection fields;
    private final String findPublic;
    private final double keepSeconds;

    DatasetEditRepository(Reads reads, DatasetFields fields, DeletedConfig deleted) {
        this.reads = reads;
        keepSeconds = deleted.keep().toSeconds();
        this.fields = fields.all();
        findPublic = FIND_PUBLIC.formatted(this.fields.selectList());
    }

    /** The dataset; null when no dataset has this id. */
    Uni<Dataset> find(long id) {
        return Connections.inSession(() -> Dataset.findById(id));
    }

    /**
     * The dataset as {@link #find} reads it, for an anonymous caller: without a primary, a public dataset comes from the replica.
     */
    Uni<Dataset> findForAnonymous(long id) {
        return reads.readPrimaryIfPresent(() -> find(id),
                replica -> replica.pages().execute(findPublic, Tuple.of(id)).map(this::read));
    }

    private Dataset read(RowSet<Row> rows) {
        if (rows.size() == 0) {
            return null;
        }
        Row row = rows.iterator().next();
        Dataset dataset = fields.readDataset(row);
        dataset.version = row.getLong(0);
        dataset.updated = row.getOffsetDateTime(1).toInstant();
        return dataset;
    }

    /** Stores a dataset and returns the stored dataset with its id. */
    Uni<Dataset> create(Dataset dataset, Author author) {
        return create(List.of(dataset), () -> insert(dataset, author));
    }

    /**
     * Runs a transaction that creates datasets again if an id is taken, or if their owner has got another name. Fails with an
     * {@link ApiException}, 503, if other writers take the ids of each try.
     */
    private static <T> Uni<T> create(List<Dataset> datasets, Supplier<Uni<T>> transaction) {
        return Connections.inSessionTransaction(transaction)
                .onFailure(e -> isViolated(e, OWNER_IS_RENAMED))
                .recoverWithUni(e -> readOwner(datasets).chain(() -> Uni.createFrom().failure(e)))
                .onFailure(e -> isViolated(e, ID_IS_TAKEN)).call(() -> continueIds().onFailure().recoverWithNull())
                .onFailure(e -> isViolated(e, ID_IS_TAKEN) || isViolated(e, OWNER_IS_RENAMED)).retry().atMost(RETRIES)
                .onFailure(e -> isViolated(e, ID_IS_TAKEN)).transform(
                        e -> new ApiException(503, "Other datasets have taken the new ids, try again later."));
    }

    /** New ids start after those of all datasets. */
    private static Uni<String> continueIds() {
        return Connections.inSession(() -> Panache.getSession()
                .chain(session -> session.createNativeQuery(CONTINUE_IDS, String.class).getSingleResult()));
    }

    /** The token that the service keeps in memory has the earlier name. Fails with 401 if the account has been disabled. */
    private static Uni<Void> readOwner(List<Dataset> datasets) {
        return Connections.inSession(() -> Panache.getSession()
                .chain(session -> session.createNativeQuery(OWNER, String.class)
                        .setParameter("id", datasets.get(0).ownerId).getSingleResultOrNull()))
                .invoke(name -> {
                    if (name == null) {
                        throw new ApiException(401, "Invalid token.");
                    }
                    datasets.forEach(dataset -> dataset.ownerName = name);
                }).replaceWithVoid();
    }

    /**
     * Creates a dataset. When the key has been used, returns the stored answer instead. The key, the dataset and the
     * answer are stored in one transaction. Fails with an {@link ApiException}, 422, when the key was used for
     * another request.
     */
    Uni<String> createOnce(IdempotencyKey key, Dataset dataset, Author author, Function<Dataset, String> answer) {
        return create(List.of(dataset), () -> once(key, () -> insert(dataset, author).map(answer)));
    }

    /**
     * Stores datasets, all or none, and returns the stored datasets with their ids, in the same order. When the key has been
     * used, returns the datasets that its first request has stored. Fails with an {@link ApiException}: 409 when one of these
     * is gone, 422 when the key was used for another request.
     *
     * @param key
     *            null without one
     */
    public Uni<List<Dataset>> createAll(List<Dataset> datasets, Author author, IdempotencyKey key) {
        return create(datasets, () -> key == null
                ? insert(datasets, author).chain(DatasetEditRepository::findAll)
                : once(key, () -> insert(datasets, author).map(DatasetEditRepository::text))
                        .chain(ids -> findAll(Stream.of(ids.split(",")).map(Long::valueOf).toList()))
                        .invoke(stored -> checkThere(stored, author.caller())));
    }

    /** The datasets of an earlier request may be gone, be drafts, or belong to another account by now. */
    private static void checkThere(List<Dataset> stored, Caller caller) {
        for (Dataset dataset : stored) {
            if (dataset == null || dataset.coordinates == null || !dataset.isVisibleTo(caller)) {
                throw new ApiException(409,
                        "This Idempotency-Key has been used, and an item of its first request is no longer there.");
            }
        }
    }

    private static String text(List<Long> ids) {
        return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static Uni<List<Long>> insert(List<Dataset> datasets, Author author) {
        datasets.forEach(dataset -> {
            author.caller().checkWorkspace(dataset.workspace);
            // A try that failed may have set it.
            dataset.id = 0;
        });
        return Panache.getSession().chain(session -> session.persistAll(datasets.toArray()).chain(session::flush)
                .map(stored -> datasets.stream().map(dataset -> dataset.id).toList())
                .call(ids -> AuditRepository.add(session, author, AuditAction.CREATE_DATASET, ids.toArray(Long[]::new)))
                // The database sets some values, and changes the notation of JSON.
                .invoke(session::clear));
    }

    private static Uni<List<Dataset>> findAll(List<Long> ids) {
        return Dataset.<Dataset>list("id in ?1", ids).map(found -> {
            Map<Long, Dataset> byId = found.stream()
                    .collect(Collectors.toMap(dataset -> dataset.id, Function.identity()));
            return ids.stream().map(byId::get).toList();
        });
    }

    /** The stored answer of a key that has been used, or else the answer of the work, which is stored. */
    private static Uni<String> once(IdempotencyKey key, Supplier<Uni<String>> work) {
        return Panache.getSession().chain(session -> session
                .createNativeQuery(CLAIM_KEY, Long.class)
                .setParameter("account", key.account())
                .setParameter("key", key.key())
                .setParameter("request", key.request())
                .getSingleResult()
                .chain(claimed -> claimed == 0
                        ? earlierAnswer(session, key)
                        : work.get().call(response -> storeAnswer(session, key, response))));
    }

    private static Uni<String> earlierAnswer(Mutiny.Session session, IdempotencyKey key) {
        return session.createNativeQuery(FIND_ANSWER, Object[].class)
                .setParameter("account", key.account())
                .setParameter("key", key.key())
                .getSingleResult()
                .map(row -> {
                    if (!Arrays.equals((byte[]) row[0], key.request())) {
                        throw new ApiException(422, "This Idempotency-Key has been used for another request.");
                    }
                    return (String) row[1];
                });
    }

    private static Uni<Long> storeAnswer(Mutiny.Session session, IdempotencyKey key, String response) {
        return session.createNativeQuery(KEEP_ANSWER, Long.class)
                .setParameter("account", key.account())
                .setParameter("key", key.key())
                .setParameter("response", response)
                .getSingleResult();
    }

    private static Uni<Dataset> insert(Dataset dataset, Author author) {
        author.caller().checkWorkspace(dataset.workspace);
        // A try that failed may have set it.
        dataset.id = 0;
        return dataset.<Dataset>persistAndFlush().chain(stored -> finish(stored, author, AuditAction.CREATE_DATASET));
    }

    /**
     * Reads a written dataset again, because PostgreSQL changes the notation of JSON, and every response has the notation of
     * PostgreSQL. The entry of the audit needs no round trip of its own: both statements are sent together.
     */
    private static Uni<Dataset> finish(Dataset dataset, Author author, AuditAction action) {
        return Panache.getSession()
                .chain(session -> session.flush().invoke(() -> session.detach(dataset)).chain(() -> Uni
                        .combine().all().unis(AuditRepository.add(session, author, action, dataset.id),
                                Dataset.<Dataset>findById(dataset.id))
                        .collectFailures().with((added, stored) -> stored)));
    }

    private static boolean isViolated(Throwable e, String constraint) {
        return e instanceof ConstraintViolationException violation && constraint.equals(violation.getConstraintName());
    }

    /**
     * Changes a dataset under a row lock, so that concurrent writers wait. The caller may write in its workspace before and after
     * the change.
     *
     * @param action
     *            the change, as the audit names it
     * @param change
     *            receives the dataset, or null when no dataset has this id; an exception rolls the transaction back
     */
    public Uni<Dataset> change(long id, Author author, AuditAction action, Consumer<Dataset> change) {
        return Connections.inSessionTransaction(() -> Dataset.<Dataset>findById(id, LockModeType.PESSIMISTIC_WRITE)
                .invoke(dataset -> {
                    Long workspace = dataset == null ? null : dataset.workspace;
                    change.accept(dataset);
                    author.caller().checkWorkspace(workspace);
                    author.caller().checkWorkspace(dataset.workspace);
                })
                .chain(dataset -> finish(dataset, author, action)));
    }

    /**
     * Shows a deleted dataset again, under its row lock. A dataset that is not deleted stays as it is. Fails with an
     * {@link ApiException}, 410, if the dataset was deleted too long ago, by the clock of the database.
     *
     * @param check
     *            receives the dataset, or null when no dataset has this id; an exception rolls the transaction back
     */
    Uni<Dataset> restore(long id, Author author, Consumer<Dataset> check) {
        return Connections.inSessionTransaction(() -> Dataset.<Dataset>findById(id, LockModeType.PESSIMISTIC_WRITE)
                .invoke(dataset -> {
                    check.accept(dataset);
                    author.caller().checkWorkspace(dataset.workspace);
                })
                .chain(dataset -> dataset.isDeleted ? restore(dataset, author) : Uni.createFrom().item(dataset)));
    }

    private Uni<Dataset> restore(Dataset dataset, Author author) {
        return Panache.getSession()
                .chain(session -> session.createNativeQuery(IS_RESTORABLE, Boolean.class)
                        .setParameter("keep", keepSeconds).setParameter("id", dataset.id).getSingleResult())
                .chain(isRestorable -> {
                    if (!isRestorable) {
                        throw new ApiException(410, "This dataset was deleted too long ago to be restored.");
                    }
                    dataset.isDeleted = false;
                    return finish(dataset, author, AuditAction.RESTORE_DATASET);
                });
    }
}
