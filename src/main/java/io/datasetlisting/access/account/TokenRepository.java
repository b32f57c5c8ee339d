package io.datasetlisting.access.account;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import jakarta.enterprise.context.ApplicationScoped;

import org.hibernate.reactive.mutiny.Mutiny;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.postgres.database.Connections;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.quarkus.hibernate.reactive.panache.Panache;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/** Reads and writes tokens in the database, and caches the tokens of recent requests. */
@ApplicationScoped
class TokenRepository {

    private static final String FIND = """
            select t.id, t.key_hash, t.access_right, t.expires, t.last_used, t.revoked or a.disabled, a.id, a.username,
                a.workspace, t.workspaces, t.identity_id, i.blocked or i.account_id <> t.account_id,
                coalesce(i.access_right, i.seen_right), i.seen_at
            from api_token t join account a on a.id = t.account_id left join account_identity i on i.id = t.identity_id
            where t.key_hash = $1""";

    /** Skips a row that another request has locked: it records the same use. */
    private static final String RECORD_USE = """
            update api_token set last_used = $2
            where id = (select id from api_token
                where id = $1 and (last_used is null or last_used < $2::timestamptz - interval '1 minute')
                for update skip locked)""";

    /** The name of the token that comes from the configuration. */
    private static final String CONFIGURED_NAME = "dataset.admin-token";

    /**
     * An existing account takes no workspace from the sequence: an import may have used the largest number. In a mirror the new
     * name of datasets is none of its own writes, so that it is written as the mirror writes.
     */
    private static final String WRITE_ADMIN_ACCOUNT = """
            with mirror as materialized (select set_config('dataset.keep_times', 'on', true) where follows_origin()),
            renamed as (update account set username = $1
                where id = 0 and username <> $1 and (select count(*) from mirror) >= 0)
            insert into account (id, username) select 0, $1 where not exists (select from account where id = 0)
            on conflict (id) do nothing""";

    private static final String REVOKE_EARLIER = """
            with revoked as (
                update api_token set revoked = true where name = $1 and account_id = 0 and key_hash <> $2 and not revoked
                returning id)
            insert into audit (action, ids) select $3::text, array_agg(id) from revoked having count(*) > 0""";

    private static final String ADD_CONFIGURED = """
            with added as (
                insert into api_token (account_id, name, access_right, key_hash) values (0, $1, 'admin', $2)
                on conflict (key_hash) do nothing
                returning id)
            insert into audit (action, ids) select $3::text, array_agg(id) from added having count(*) > 0""";

    /**
     * Two creates for one account run one after the other, so that each counts the token of the other. -1: the account is
     * disabled.
     */
    private static final String LOCK_ACCOUNT = """
            select case when disabled then -1 else id end from account where id = :account for no key update""";

    /** The cache may still have a token or a subject that another instance has refused. It makes no token that stays. */
    private static final String IS_REFUSED = """
            select exists (select from api_token where id = :token and revoked)
                or exists (select from account_identity where id = :identity and (blocked or account_id <> :account))""";

    private static final String COUNT_VALID = """
            select count(*) from api_token
            where account_id = :account and not revoked and (expires is null or expires > :now)""";

    /**
     * Deletes the oldest tokens that are not valid any more, so that their number has a bound. The configured token stays: a
     * start would otherwise make it valid again.
     */
    private static final String FORGET_INVALID = """
            with forgotten as (
                delete from api_token where id in (
                    select id from api_token
                    where account_id = :account and (revoked or expires <= :now)
                        and not (account_id = 0 and name = :configured)
                    order by id desc offset :kept)
                returning 1)
            select count(*) from forgotten""";

    /** Stored for a subject to which the provider gives no right. */
    private static final String NO_RIGHT = "none";
    private static final String UNIQUE_VIOLATION = "23505";

    private final Pool pool;
    private final Cache cache;
    private final int maxTokens;
    private final Duration seenWithin;

    TokenRepository(Pool pool, @CacheName("tokens") Cache cache, TokenConfig config) {
        this.pool = pool;
        this.cache = cache;
        maxTokens = config.maxTokensPerAccount();
        seenWithin = config.tokens().seenWithin();
    }

    /**
     * A token with its caller, as the database had it when the cache entry was read.
     *
     * @param lastUsed
     *            null before the first use
     * @param refused
     *            why the token is not valid, whatever the time is; null if it is
     * @param seenUntil
     *            the moment until which the token's subject need not be seen again; null for a token without this bound
     * @param useRecorded
     *            whether a use has been stored since the cache entry was read
     */
    record StoredToken(long id, byte[] keyHash, Caller caller, Instant lastUsed, String refused, Instant seenUntil,
            AtomicBoolean useRecorded) {

        /** The sentence for a token that is not valid, or null. */
        String refusalAt(Instant now) {
            if (refused != null) {
                return refused;
            }
            if (caller.expires() != null && !now.isBefore(caller.expires())) {
                return "The token has expired.";
            }
            return seenUntil == null || now.isBefore(seenUntil)
                    ? null
                    : "The identity that made the token has not signed in for too long.";
        }
    }

    /** The token with this hash, or null. The result may be as old as the cache keeps it. */
    Uni<StoredToken> find(byte[] keyHash) {
        return CallerContext.shared(cache.getAsync(cacheKey(keyHash), nothing -> Connections
                .readAgainIfLost(() -> pool.preparedQuery(FIND).execute(Tuple.of(Buffer.buffer(keyHash))))
                .map(rows -> rows.size() == 0 ? null : storedToken(rows.iterator().next()))));
    }

    private static String cacheKey(byte[] keyHash) {
        return HexFormat.of().formatHex(keyHash);
    }

    private StoredToken storedToken(Row row) {
        Long[] workspaces = row.getArrayOfLongs(9);
        Caller caller = new Caller(row.getLong(6), row.getString(7), row.getLong(8), right(row), row.getLong(0),
                workspaces == null ? null : List.of(workspaces), instant(row, 3), row.getLong(10));
        Instant seenAt = seenWithin.isZero() ? null : instant(row, 13);
        return new StoredToken(row.getLong(0), row.getBuffer(1).getBytes(), caller, instant(row, 4), refusal(row),
                seenAt == null ? null : seenAt.plus(seenWithin), new AtomicBoolean());
    }

    /** The right of the token, or the one that its subject has now if this is less. */
    private static Right right(Row row) {
        Right own = Right.of(row.getString(2));
        String name = row.getString(12);
        return name == null || name.equals(NO_RIGHT) || Right.of(name).compareTo(own) > 0 ? own : Right.of(name);
    }

    private static String refusal(Row row) {
        if (row.getBoolean(5)) {
            return "The token has been revoked.";
        }
        if (Boolean.TRUE.equals(row.getBoolean(11))) {
            return "The identity that made the token is blocked, or acts for another account.";
        }
        return NO_RIGHT.equals(row.getString(12)) ? "The identity that made the token has no right any more." : null;
    }

    private static Instant instant(Row row, int column) {
        return row.getOffsetDateTime(column) == null ? null : row.getOffsetDateTime(column).toInstant();
    }

    Uni<Void> recordUse(long id, Instant when) {
        return pool.preparedQuery(RECORD_USE).execute(Tuple.of(id, when.atOffset(ZoneOffset.UTC))).replaceWithVoid();
    }

    /**
     * Makes a key the only configured admin token. Earlier configured tokens are revoked. A token that has been revoked stays
     * revoked.
     *
     * @return whether the token is valid
     */
    Uni<Boolean> configure(String username, byte[] keyHash) {
        Buffer hash = Buffer.buffer(keyHash);
        return Connections.inTransaction(pool,
                connection -> connection.preparedQuery(WRITE_ADMIN_ACCOUNT).execute(Tuple.of(username))
                        .chain(() -> connection.preparedQuery(REVOKE_EARLIER).execute(
                                Tuple.of(CONFIGURED_NAME, hash, AuditAction.REVOKE_TOKEN.toString())))
                        .chain(() -> connection.preparedQuery(ADD_CONFIGURED).execute(
                                Tuple.of(CONFIGURED_NAME, hash, AuditAction.CREATE_TOKEN.toString())))
                        .chain(() -> connection.preparedQuery(FIND).execute(Tuple.of(hash)))
                        .map(rows -> storedToken(rows.iterator().next()).refused() == null))
                .onFailure(e -> e instanceof PgException pg && UNIQUE_VIOLATION.equals(pg.getSqlState()))
                .transform(e -> new IllegalStateException("another account has this name, or one that differs only in"
                        + " case or normal form: set dataset.admin-username", e));
    }

    /**
     * Stores a new token. Fails with an {@link ApiException}: 400 if the account has as many valid tokens as it may have, 401 if
     * the author's token has just been revoked.
     */
    Uni<ApiToken> create(ApiToken token, Author author, Instant now) {
        return Connections.inSessionTransaction(() -> Panache.getSession()
                .chain(session -> checkNotRefused(session, author.caller())
                        .chain(() -> one(session, LOCK_ACCOUNT, token, Map.of())
                                .invoke(TokenRepository::checkNotDisabled))
                        .chain(() -> one(session, COUNT_VALID, token, Map.of("now", now)))
                        .invoke(this::checkNumber)
                        .chain(() -> one(session, FORGET_INVALID, token,
                                Map.of("now", now, "configured", CONFIGURED_NAME, "kept", maxTokens))))
                .chain(() -> {
                    // A try that failed may have set it.
                    token.id = 0;
                    return token.<ApiToken>persistAndFlush();
                }).call(stored -> add(author, AuditAction.CREATE_TOKEN, stored.id)));
    }

    private static Uni<Void> checkNotRefused(Mutiny.Session session, Caller caller) {
        return session.createNativeQuery(IS_REFUSED, Boolean.class).setParameter("token", id(caller.tokenId()))
                .setParameter("identity", id(caller.identityId())).setParameter("account", id(caller.accountId()))
                .getSingleResult().invoke(isRefused -> {
                    if (isRefused) {
                        throw new ApiException(401, TokenAuthentication.INVALID);
                    }
                }).replaceWithVoid();
    }

    /** No row has the id -1. */
    private static long id(Long id) {
        return id == null ? -1 : id;
    }

    private static Uni<Void> add(Author author, AuditAction action, long id) {
        return Panache.getSession().chain(session -> AuditRepository.add(session, author, action, id));
    }

    private static Uni<Long> one(Mutiny.Session session, String sql, ApiToken token, Map<String, Object> values) {
        Mutiny.SelectionQuery<Long> query = session.createNativeQuery(sql, Long.class)
                .setParameter("account", token.account.id);
        values.forEach(query::setParameter);
        return query.getSingleResult();
    }

    private static void checkNotDisabled(long account) {
        if (account < 0) {
            throw DrfFields.invalid("user", "This account is disabled.");
        }
    }

    private void checkNumber(long valid) {
        if (valid >= maxTokens) {
            throw DrfFields.invalid("non_field_errors",
                    "This account has " + valid + " valid tokens, and may not have more. Revoke one of them first.");
        }
    }

    /**
     * A page of tokens, ordered by id.
     *
     * @param account
     *            id of the account whose tokens it contains; null for all
     * @param page
     *            number of the page, from 0
     */
    Uni<List<ApiToken>> list(Long account, int page, int pageSize) {
        return Connections.inSession(() -> (account == null
                ? ApiToken.<ApiToken>find("from ApiToken t join fetch t.account order by t.id")
                : ApiToken.<ApiToken>find("from ApiToken t join fetch t.account a where a.id = ?1 order by t.id",
                        account))
                .page(page, pageSize).list());
    }

    /**
     * @param account
     *            id of the account whose tokens count; null for all
     */
    Uni<Long> count(Long account) {
        return Connections.inSession(() -> account == null ? ApiToken.count() : ApiToken.count("account.id", account));
    }

    /** The token with this id, or null. */
    Uni<ApiToken> find(long id) {
        return Connections.inSession(() -> ApiToken.findById(id));
    }

    /**
     * Revokes a token permanently.
     *
     * @param check
     *            receives the token, or null if no token has this id; an exception leaves the token as it is
     */
    Uni<Void> revoke(long id, Author author, Consumer<ApiToken> check) {
        return Connections.inSessionTransaction(() -> ApiToken.<ApiToken>findById(id).invoke(check).call(token -> {
            boolean isNew = !token.revoked;
            token.revoked = true;
            return isNew ? add(author, AuditAction.REVOKE_TOKEN, id) : Uni.createFrom().voidItem();
        })).call(token -> cache.invalidate(cacheKey(token.keyHash))).replaceWithVoid();
    }
}
