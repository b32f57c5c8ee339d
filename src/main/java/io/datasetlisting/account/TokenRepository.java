package io.datasetlisting.account;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.database.Connections;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/** Tokens as they are stored. */
@ApplicationScoped
class TokenRepository {

    private static final String FIND = """
            select t.id, t.key_hash, t.access_right, t.expires, t.last_used, t.revoked, a.id, a.username, a.workspace
            from api_token t join account a on a.id = t.account_id
            where t.key_hash = $1""";

    private static final String USED = """
            update api_token set last_used = $2
            where id = (select id from api_token
                where id = $1 and (last_used is null or last_used < $2::timestamptz - interval '1 minute')
                for update skip locked)""";

    /** The name that marks the token of the configuration. */
    private static final String CONFIGURED = "dataset.admin-token";

    private static final String ADMIN_ACCOUNT = """
            insert into account (id, username) values (0, $1)
            on conflict (id) do update set username = excluded.username where account.username <> excluded.username""";

    private static final String REPLACE_CONFIGURED = """
            update api_token set revoked = true where name = $1 and account_id = 0 and key_hash <> $2 and not revoked""";

    private static final String ADD_CONFIGURED = """
            insert into api_token (account_id, name, access_right, key_hash) values (0, $1, 'admin', $2)
            on conflict (key_hash) do nothing""";

    private final Pool pool;
    private final Cache cache;

    TokenRepository(Pool pool, @CacheName("tokens") Cache cache) {
        this.pool = pool;
        this.cache = cache;
    }

    /**
     * A token and whom it stands for.
     *
     * @param useNoted
     *            whether its use has been written down since it was read
     */
    record Known(long id, byte[] keyHash, Caller caller, Instant expires, Instant lastUsed, boolean revoked,
            AtomicBoolean useNoted) {

        boolean isGoodAt(Instant now) {
            return !revoked && (expires == null || now.isBefore(expires));
        }
    }

    /** The token with this hash, or null. What was found is good for the seconds that the cache keeps it. */
    Uni<Known> find(byte[] keyHash) {
        return cache.getAsync(cacheKey(keyHash), nothing -> pool.preparedQuery(FIND)
                .execute(Tuple.of(Buffer.buffer(keyHash)))
                .map(rows -> rows.size() == 0 ? null : known(rows.iterator().next())));
    }

    private static String cacheKey(byte[] keyHash) {
        return HexFormat.of().formatHex(keyHash);
    }

    private static Known known(Row row) {
        Caller caller = new Caller(row.getLong(6), row.getString(7), row.getLong(8), Right.of(row.getString(2)),
                row.getLong(0));
        return new Known(row.getLong(0), row.getBuffer(1).getBytes(), caller, instant(row, 3), instant(row, 4),
                row.getBoolean(5), new AtomicBoolean());
    }

    private static Instant instant(Row row, int column) {
        return row.getOffsetDateTime(column) == null ? null : row.getOffsetDateTime(column).toInstant();
    }

    Uni<Void> used(long id, Instant when) {
        return pool.preparedQuery(USED).execute(Tuple.of(id, when.atOffset(ZoneOffset.UTC))).replaceWithVoid();
    }

    /**
     * Makes a key the one configured admin token: an earlier one stops working, and one that has been revoked stays so.
     *
     * @return whether the key is good
     */
    Uni<Boolean> configure(String username, byte[] keyHash) {
        Buffer hash = Buffer.buffer(keyHash);
        return Connections.inTransaction(pool,
                connection -> connection.preparedQuery(ADMIN_ACCOUNT).execute(Tuple.of(username))
                        .chain(() -> connection.preparedQuery(REPLACE_CONFIGURED).execute(Tuple.of(CONFIGURED, hash)))
                        .chain(() -> connection.preparedQuery(ADD_CONFIGURED).execute(Tuple.of(CONFIGURED, hash)))
                        .chain(() -> connection.preparedQuery(FIND).execute(Tuple.of(hash)))
                        .map(rows -> !known(rows.iterator().next()).revoked()));
    }

    Uni<ApiToken> create(ApiToken token) {
        return Connections.inSessionTransaction(() -> token.<ApiToken>persistAndFlush());
    }

    /**
     * A page of all tokens, by id.
     *
     * @param page
     *            from 0
     */
    Uni<List<ApiToken>> list(int page, int pageSize) {
        return Connections.inSession(() -> ApiToken.<ApiToken>find("from ApiToken t join fetch t.account order by t.id")
                .page(page, pageSize).list());
    }

    Uni<Long> count() {
        return Connections.inSession(() -> ApiToken.count());
    }

    /** Ends a token for good. Null when there is none. */
    Uni<ApiToken> revoke(long id) {
        return Connections.inSessionTransaction(() -> ApiToken.<ApiToken>findById(id).invoke(token -> {
            if (token != null) {
                token.revoked = true;
            }
        })).call(token -> token == null ? Uni.createFrom().voidItem() : cache.invalidate(cacheKey(token.keyHash)));
    }
}
