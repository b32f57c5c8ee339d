package io.datasetlisting.access.account;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.base.CallerContext;
import io.datasetlisting.postgres.database.Connections;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.quarkus.cache.CaffeineCache;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;

/** Finds the token of a request by its hash, caches the tokens of recent requests, and records their use. */
@ApplicationScoped
class StoredTokenRepository {

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

    /** Stored for a subject to which the provider gives no right. */
    private static final String NO_RIGHT = "none";

    private final Pool pool;
    private final Cache cache;
    private final Duration seenWithin;

    StoredTokenRepository(Pool pool, @CacheName("tokens") Cache cache, TokenConfig config) {
        this.pool = pool;
        this.cache = cache;
        seenWithin = config.tokens().seenWithin();
    }

    /** The token with this hash, or null. The result may be as old as the cache keeps it. */
    Uni<StoredToken> find(byte[] keyHash) {
        String key = HexFormat.of().formatHex(keyHash);
        CompletableFuture<StoredToken> known = cache.as(CaffeineCache.class).getIfPresent(key);
        // The platform's way takes a tenth of a cached page.
        return known != null && known.isDone() && !known.isCompletedExceptionally()
                ? Uni.createFrom().item(known.join())
                : CallerContext.shared(cache.getAsync(key, nothing -> Connections
                        .readAgainIfLost(() -> pool.preparedQuery(FIND).execute(Tuple.of(Buffer.buffer(keyHash))))
                        .map(rows -> rows.size() == 0 ? null : storedToken(rows.iterator().next()))));
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

    /** Discards the cache entry of a token. */
    Uni<Void> invalidate(byte[] keyHash) {
        return cache.invalidate(HexFormat.of().formatHex(keyHash));
    }
}
