package io.datasetlisting.write.departure;

import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.AccountRepository;
import io.datasetlisting.access.account.AccountResource;
import io.datasetlisting.access.account.AuditAction;
import io.datasetlisting.access.account.AuditRepository;
import io.datasetlisting.access.account.Author;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.postgres.database.Connections;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Renames and disables accounts, gives their datasets to others, and erases. Each write and its entry of the audit are one
 * transaction.
 */
@Singleton
public class DepartureRepository {

    /** A write of all datasets of an account takes longer than one of a dataset. */
    private static final String ALLOW_TIME = "select set_config('statement_timeout', '300000', true)";

    private static final String FIND = "select id, username, workspace, disabled from account where id = $1";
    /** Writers of the account's datasets and tokens wait. */
    private static final String LOCK = FIND + " for no key update";
    private static final String LOCK_BOTH = """
            select id, disabled from account where id in ($1, $2) order by id for no key update""";

    private static final String RENAME = "update account set username = $2 where id = $1";
    private static final String DISABLE = "update account set disabled = $2 where id = $1";
    private static final String REVOKE_TOKENS = """
            update api_token set revoked = true where account_id = $1 and not revoked returning id""";

    private static final String HAND_OVER = """
            update dataset set owner_id = $2, owner_name = (select username from account where id = $2),
                workspace = coalesce($3, workspace), version = version + 1
            where owner_id = $1""";

    /** The tokens of a subject go with it. An answer that is kept for a repeated create has the name. */
    private static final String ERASE_TOKENS = "delete from api_token where account_id = $1";
    private static final String ERASE_IDENTITIES = "delete from account_identity where account_id = $1";
    private static final String ERASE_ANSWERS = "delete from idempotency_key where account_id = $1";
    /** Somebody else may have the first pseudonym. */
    private static final String PSEUDONYMIZE = """
            update account set username = case
                when exists (select from account where username_key(username) = 'erased-' || $1::bigint and id <> $1)
                then 'erased-' || $1::bigint || '-' || gen_random_uuid() else 'erased-' || $1::bigint end
            where id = $1""";

    private static final String ERASE_WORKSPACE = """
            select write_workspace(number, null, null, null, 0) from workspace
            where number = (select workspace from account where id = $1)""";

    /** Stored exports have the name. */
    private static final String WITHDRAW_EXPORTS = "select withdraw_exports()";

    private static final String LOCK_DATASET = """
            select uav_uid, workspace, is_deleted, case when not exists (
                select from dataset other where other.thumbnail_key = dataset.thumbnail_key and other.id <> dataset.id)
                then thumbnail_key end
            from dataset where id = $1 for update""";
    /** With the stored answer to the request that has created it. */
    private static final String ERASE_DATASET = """
            with answer as (delete from idempotency_key where response like '{"id":' || $1::bigint || ',%')
            delete from dataset where id = $1""";

    private final Pool pool;
    private final Cache tokens;
    private final Cache identities;

    DepartureRepository(Pool pool, @CacheName("tokens") Cache tokens, @CacheName("identities") Cache identities) {
        this.pool = pool;
        this.tokens = tokens;
        this.identities = identities;
    }

    /** An account as JSON, for admins. */
    public record Details(long id, String username, long workspace, boolean disabled) {

        private static Details of(Row row) {
            return new Details(row.getLong(0), row.getString(1), row.getLong(2), row.getBoolean(3));
        }
    }

    /** What an erasure has to know of a dataset. The key is null without an object of its own. */
    record Erasable(UUID uavUid, long workspace, boolean isDeleted, String thumbnailKey) {
    }

    /** Fails with 404 if no account has this id. */
    Uni<Details> find(long id) {
        return Connections.readAgainIfLost(() -> pool.preparedQuery(FIND).execute(Tuple.of(id)))
                .map(rows -> rows.size() == 0 ? null : Details.of(rows.iterator().next()))
                .onItem().ifNull().failWith(DepartureRepository::noAccount);
    }

    private static ApiException noAccount() {
        return ApiException.noSuch("Account");
    }

    /**
     * Changes an account.
     *
     * @param username
     *            null for the same one
     * @param disabled
     *            null for the same state
     */
    Uni<Details> change(long id, String username, Boolean disabled, Author author) {
        return withAccount(id, (account, connection) -> rename(connection, account, username, author)
                .chain(() -> disable(connection, account, disabled, author))
                .chain(() -> connection.preparedQuery(FIND).execute(Tuple.of(id)))
                .map(rows -> Details.of(rows.iterator().next())))
                .onFailure(AccountRepository::isDuplicate)
                .transform(e -> AccountResource.usernameTaken());
    }

    private static Uni<Void> rename(SqlConnection connection, Details account, String username, Author author) {
        return username == null || username.equals(account.username)
                ? Uni.createFrom().voidItem()
                : connection.preparedQuery(RENAME).execute(Tuple.of(account.id, username))
                        .chain(() -> AuditRepository.add(connection, author, AuditAction.RENAME_ACCOUNT, account.id));
    }

    private static Uni<Void> disable(SqlConnection connection, Details account, Boolean disabled, Author author) {
        if (disabled == null || disabled == account.disabled) {
            return Uni.createFrom().voidItem();
        }
        Uni<Void> written = connection.preparedQuery(DISABLE).execute(Tuple.of(account.id, disabled))
                .chain(() -> AuditRepository.add(connection, author,
                        disabled ? AuditAction.DISABLE_ACCOUNT : AuditAction.ENABLE_ACCOUNT, account.id));
        return disabled ? written.chain(() -> revokeTokens(connection, account.id, author)) : written;
    }

    private static Uni<Void> revokeTokens(SqlConnection connection, long account, Author author) {
        return connection.preparedQuery(REVOKE_TOKENS).execute(Tuple.of(account)).chain(rows -> {
            Long[] ids = new Long[rows.size()];
            int next = 0;
            for (Row row : rows) {
                ids[next++] = row.getLong(0);
            }
            return ids.length == 0
                    ? Uni.createFrom().voidItem()
                    : AuditRepository.add(connection, author, AuditAction.REVOKE_TOKEN, ids);
        });
    }

    /**
     * Gives all datasets of an account to another one, also deleted ones and drafts.
     *
     * @param workspace
     *            of the datasets afterwards; null for the same as before
     *
     * @return the number of datasets
     */
    Uni<Integer> handOver(long from, long to, Long workspace, Author author) {
        return inTransaction(connection -> connection.preparedQuery(LOCK_BOTH).execute(Tuple.of(from, to))
                .invoke(rows -> {
                    Row target = null;
                    boolean isThere = false;
                    for (Row row : rows) {
                        isThere |= row.getLong(0) == from;
                        target = row.getLong(0) == to ? row : target;
                    }
                    if (!isThere) {
                        throw noAccount();
                    }
                    if (target == null) {
                        throw DrfFields.invalid("to", AccountRepository.noSuch(to));
                    }
                    if (target.getBoolean(1)) {
                        throw DrfFields.invalid("to", "This account is disabled.");
                    }
                })
                .chain(() -> connection.preparedQuery(HAND_OVER).execute(Tuple.of(from, to, workspace)))
                .map(rows -> rows.rowCount())
                .call(moved -> AuditRepository.addCounts(connection, author, AuditAction.HAND_OVER_DATASETS,
                        new Long[]{from, to}, moved)));
    }

    /** Erases the personal data of a disabled account. Fails with 409 for another one. */
    Uni<Details> eraseAccount(long id, Author author) {
        return withAccount(id, (account, connection) -> {
            if (!account.disabled) {
                throw new ApiException(409, "Only a disabled account can be erased. Disable it first.");
            }
            Tuple values = Tuple.of(id);
            return connection.preparedQuery(ERASE_TOKENS).execute(values)
                    .chain(() -> connection.preparedQuery(ERASE_IDENTITIES).execute(values))
                    .chain(() -> connection.preparedQuery(ERASE_ANSWERS).execute(values))
                    .chain(() -> connection.preparedQuery(PSEUDONYMIZE).execute(values))
                    .chain(() -> connection.preparedQuery(ERASE_WORKSPACE).execute(values))
                    .chain(() -> connection.query(WITHDRAW_EXPORTS).execute())
                    .chain(() -> AuditRepository.add(connection, author, AuditAction.ERASE_ACCOUNT, id))
                    .chain(() -> connection.preparedQuery(FIND).execute(values))
                    .map(rows -> Details.of(rows.iterator().next()));
        });
    }

    /** The tokens and subjects that this instance keeps in memory are read again afterwards. */
    private <T> Uni<T> withAccount(long id, BiFunction<Details, SqlConnection, Uni<T>> work) {
        return inTransaction(connection -> connection.preparedQuery(LOCK).execute(Tuple.of(id)).chain(rows -> {
            if (rows.size() == 0) {
                throw noAccount();
            }
            return work.apply(Details.of(rows.iterator().next()), connection);
        })).call(tokens::invalidateAll).call(identities::invalidateAll);
    }

    private <T> Uni<T> inTransaction(Function<SqlConnection, Uni<T>> work) {
        return Connections.inTransaction(pool,
                connection -> connection.query(ALLOW_TIME).execute().chain(() -> work.apply(connection)));
    }

    /**
     * Erases a dataset, whose row is locked meanwhile.
     *
     * @param before
     *            runs while the row is there, and keeps it if it fails; receives null when no dataset has this id
     */
    Uni<Void> eraseDataset(long id, Author author, Function<Erasable, Uni<Void>> before) {
        return inTransaction(connection -> connection.preparedQuery(LOCK_DATASET).execute(Tuple.of(id))
                .map(rows -> {
                    if (rows.size() == 0) {
                        return null;
                    }
                    Row row = rows.iterator().next();
                    return new Erasable(row.getUUID(0), row.getLong(1), row.getBoolean(2), row.getString(3));
                })
                .chain(dataset -> before.apply(dataset))
                .chain(() -> connection.preparedQuery(ERASE_DATASET).execute(Tuple.of(id)))
                .chain(() -> AuditRepository.add(connection, author, AuditAction.ERASE_DATASET, id)));
    }
}
