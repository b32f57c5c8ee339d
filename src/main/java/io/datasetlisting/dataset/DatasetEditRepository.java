package io.datasetlisting.dataset;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;

import org.hibernate.exception.ConstraintViolationException;
import org.hibernate.reactive.mutiny.Mutiny;

import io.datasetlisting.database.Connections;
import io.datasetlisting.http.ApiException;
import io.quarkus.hibernate.reactive.panache.Panache;
import io.smallrye.mutiny.Uni;

/** Reads and writes one dataset at a time. */
@ApplicationScoped
class DatasetEditRepository {

    // Selects, all of them: Hibernate Reactive complains about each native update when the session ends.

    /** A key that is older than a day is as good as new. */
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
     * Forgets old ones by the way: not all at once, so that no create pays for a day's worth of them; and not those that
     * another one deletes.
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

    /** An id that an import has used in the same moment: the next one is free. */
    private static final String ID_IS_TAKEN = "dataset_pkey";
    private static final int TRIES = 3;

    /** A key of a client for one create, and the SHA-256 of what it asked for. */
    record IdempotencyKey(long account, String key, byte[] request) {
    }

    /** Null where the id is nobody's. */
    Uni<Dataset> find(long id) {
        return Connections.inSession(() -> Dataset.findById(id));
    }

    /** The dataset as it is stored, with its id. */
    Uni<Dataset> create(Dataset dataset) {
        return Connections.inSessionTransaction(() -> insert(dataset)).onFailure(DatasetEditRepository::isIdTaken)
                .retry()
                .atMost(TRIES);
    }

    /**
     * Creates a dataset unless the key has been used: then the answer of that time comes back. The key, the dataset and
     * the answer are stored together or not at all. Fails with an {@link ApiException}, 422, where the key stands for
     * another request.
     */
    Uni<String> createOnce(IdempotencyKey key, Dataset dataset, Function<Dataset, String> answer) {
        return Connections.inSessionTransaction(() -> Panache.getSession().chain(session -> session
                .createNativeQuery(CLAIM_KEY, Long.class)
                .setParameter("account", key.account)
                .setParameter("key", key.key)
                .setParameter("request", key.request)
                .getSingleResult()
                .chain(claimed -> claimed == 0
                        ? earlierAnswer(session, key)
                        : insert(dataset).map(answer).call(response -> keep(session, key, response)))))
                .onFailure(DatasetEditRepository::isIdTaken).retry().atMost(TRIES);
    }

    private static Uni<String> earlierAnswer(Mutiny.Session session, IdempotencyKey key) {
        return session.createNativeQuery(FIND_ANSWER, Object[].class)
                .setParameter("account", key.account)
                .setParameter("key", key.key)
                .getSingleResult()
                .map(row -> {
                    if (!Arrays.equals((byte[]) row[0], key.request)) {
                        throw new ApiException(422, "This Idempotency-Key has been used for another request.");
                    }
                    return (String) row[1];
                });
    }

    private static Uni<Long> keep(Mutiny.Session session, IdempotencyKey key, String response) {
        return session.createNativeQuery(KEEP_ANSWER, Long.class)
                .setParameter("account", key.account)
                .setParameter("key", key.key)
                .setParameter("response", response)
                .getSingleResult();
    }

    private static Uni<Dataset> insert(Dataset dataset) {
        return dataset.<Dataset>persistAndFlush().chain(DatasetEditRepository::reread);
    }

    /** PostgreSQL writes JSON in a form of its own; every answer shows that one. */
    private static Uni<Dataset> reread(Dataset dataset) {
        return Panache.getSession().chain(session -> session.flush().invoke(() -> session.detach(dataset)))
                .chain(() -> Dataset.findById(dataset.id));
    }

    private static boolean isIdTaken(Throwable e) {
        return e instanceof ConstraintViolationException violation && ID_IS_TAKEN.equals(violation.getConstraintName());
    }

    /**
     * Changes a dataset while nobody else can: one writer after the other.
     *
     * @param change
     *            gets the dataset, or null where the id is nobody's; what it throws undoes everything
     */
    Uni<Dataset> change(long id, Consumer<Dataset> change) {
        return Connections.inSessionTransaction(() -> Dataset.<Dataset>findById(id, LockModeType.PESSIMISTIC_WRITE)
                .invoke(change)
                .chain(DatasetEditRepository::reread));
    }
}
