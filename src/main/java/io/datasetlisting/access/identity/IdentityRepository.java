package io.datasetlisting.access.identity;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

import jakarta.enterprise.context.ApplicationScoped;

import org.jboss.logging.Logger;

import io.datasetlisting.access.account.Account;
import io.datasetlisting.access.account.AccountRepository;
import io.datasetlisting.access.account.AuditAction;
import io.datasetlisting.access.account.AuditRepository;
import io.datasetlisting.access.account.Author;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.base.LimitedLog;
import io.datasetlisting.postgres.database.Connections;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads and writes the subjects of the provider of identities in the database, and caches the subjects of recent requests. */
@ApplicationScoped
class IdentityRepository {

    private static final LimitedLog LOG = new LimitedLog(Logger.getLogger(IdentityRepository.class));
    private static final Duration SEEN_INTERVAL = Duration.ofMinutes(1);

    private static final String COLUMNS = """
            select i.id, i.issuer, i.subject, i.access_right, i.blocked or a.disabled, i.created, a.id, a.username, a.workspace,
                i.seen_right, i.seen_at
            from account_identity i join account a on a.id = i.account_id
            """;
    private static final String FIND = COLUMNS + "where i.issuer = $1 and i.subject = $2";
    private static final String LIST = COLUMNS + "order by i.id limit $1 offset $2";
    private static final String COUNT = "select count(*) from account_identity";

    /** First requests of one subject make its account one after the other. */
    private static final String LOCK = "select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))";
    private static final String ADD = "insert into account_identity (issuer, subject, account_id) values ($1, $2, $3)";

    private static final String LINK = """
            insert into account_identity (issuer, subject, account_id, access_right) values ($1, $2, $3, $4)
            on conflict (issuer, subject) do update
            set account_id = excluded.account_id, access_right = excluded.access_right, blocked = false""";
    private static final String BLOCK = """
            update account_identity set blocked = true where id = $1 returning issuer, subject""";

    /**
     * Takes the newest token of the provider only. Skips a row that another request has locked: it stores the same, or the next
     * request does.
     */
    private static final String SEE = """
            update account_identity set seen_right = $2, seen_at = $3
            where id = (select id from account_identity
                where id = $1 and (seen_right is null or seen_at < $3 or $4 and seen_at = $3) for no key update skip locked)""";
    /** Stored for claims that give no right, see {@code StoredTokenRepository}. */
    private static final String NO_RIGHT = "none";

    private static final int RETRIES = 3;

    private final Pool pool;
    private final Cache cache;
    private final Cache tokens;

    IdentityRepository(Pool pool, @CacheName("identities") Cache cache, @CacheName("tokens") Cache tokens) {
        this.pool = pool;
        this.cache = cache;
        this.tokens = tokens;
    }

    /**
     * A subject with its account. It is also blocked while its account is disabled.
     *
     * @param right
     *            takes the place of the right that the claims give; null if the claims decide
     * @param seenRight
     *            the right in the newest token of the provider, {@code none} without one; null before the first token
     * @param seenAt
     *            when the provider issued this token; before the first token, when the subject was linked
     */
    record Identity(long id, String issuer, String subject, Right right, boolean blocked, Instant created,
            long accountId, String username, long workspace, String seenRight, Instant seenAt) {

        private static Identity of(Row row) {
            return new Identity(row.getLong(0), row.getString(1), row.getString(2),
                    row.getString(3) == null ? null : Right.of(row.getString(3)), row.getBoolean(4),
                    row.getOffsetDateTime(5).toInstant(), row.getLong(6), row.getString(7), row.getLong(8),
                    row.getString(9), row.getOffsetDateTime(10).toInstant());
        }

        Caller caller(Right effective) {
            return Caller.ofIdentity(id, accountId, username, workspace, effective);
        }
    }

    private record Key(String issuer, String subject) {
    }

    /** The identity of a subject, or null. The result may be as old as the cache keeps it. */
    Uni<Identity> find(String issuer, String subject) {
        return CallerContext.shared(cache.getAsync(new Key(issuer, subject), nothing -> Connections
                .readAgainIfLost(() -> pool.preparedQuery(FIND).execute(Tuple.of(issuer, subject)))
                .map(rows -> rows.size() == 0 ? null : Identity.of(rows.iterator().next()))));
    }

    /**
     * Stores what a token of the provider says about a subject, if the token is newer than the one before, and says something
     * else or is at least a minute newer. A failure is logged: the request does not need the row.
     *
     * @param right
     *            null if the claims give none
     * @param issued
     *            when the provider issued the token
     */
    Uni<Void> see(Identity identity, Right right, Instant issued) {
        String name = right == null ? NO_RIGHT : right.toString();
        Instant due = name.equals(identity.seenRight) ? identity.seenAt.plus(SEEN_INTERVAL) : identity.seenAt;
        // Of two tokens of one second, the one with less right counts.
        boolean isLess = rank(name) < rank(identity.seenRight);
        if (identity.seenRight != null && !issued.isAfter(due) && !(isLess && issued.equals(due))) {
            return Uni.createFrom().voidItem();
        }
        return pool.preparedQuery(SEE).execute(Tuple.of(identity.id, name, issued.atOffset(ZoneOffset.UTC), isLess))
                .call(() -> cache.invalidate(new Key(identity.issuer, identity.subject))).replaceWithVoid()
                .onFailure().recoverWithUni(e -> {
                    LOG.warn("seen", "The last token of a subject could not be stored: " + e.getMessage());
                    return Uni.createFrom().voidItem();
                });
    }

    private static int rank(String right) {
        return right == null || right.equals(NO_RIGHT) ? -1 : Right.of(right).ordinal();
    }

    /**
     * Stores a new subject with a new account, unless another request has done so.
     *
     * @param names
     *            the account gets the first one that no account has
     * @param requestId
     *            of the first request
     *
     * @return the identity; fails with 403 if all names are taken
     */
    Uni<Identity> create(String issuer, String subject, List<String> names, String requestId) {
        Tuple key = Tuple.of(issuer, subject);
        return Connections.inTransaction(pool, connection -> connection.preparedQuery(LOCK).execute(key)
                .chain(() -> connection.preparedQuery(FIND).execute(key))
                .chain(found -> found.size() > 0
                        ? Uni.createFrom().item(found).map(IdentityRepository::identity)
                        : addAccount(connection, names, 0)
                                .chain(account -> connection.preparedQuery(ADD)
                                        .execute(Tuple.of(issuer, subject, account.id)))
                                .chain(() -> connection.preparedQuery(FIND).execute(key))
                                .map(IdentityRepository::identity)
                                .call(identity -> AuditRepository.add(connection,
                                        new Author(identity.caller(null), requestId), AuditAction.CREATE_ACCOUNT,
                                        identity.accountId))))
                // An import has used the id, or another request the name.
                .onFailure(AccountRepository::isDuplicate).retry().atMost(RETRIES)
                .call(() -> cache.invalidate(new Key(issuer, subject)));
    }

    private static Uni<Account> addAccount(SqlConnection connection, List<String> names, int next) {
        if (next == names.size()) {
            return Uni.createFrom()
                    .failure(new ApiException(403, "Other accounts have the names for the account of this identity."
                            + " Ask an administrator to link the identity to an account."));
        }
        return AccountRepository.isTaken(connection, names.get(next))
                .chain(isTaken -> isTaken
                        ? addAccount(connection, names, next + 1)
                        : AccountRepository.add(connection, names.get(next)));
    }

    private static Identity identity(RowSet<Row> rows) {
        return Identity.of(rows.iterator().next());
    }

    /** Makes a subject act for an account, and no longer for another one. A blocked subject is no longer blocked. */
    Uni<Identity> link(String issuer, String subject, long account, Right right, Author author) {
        return Connections.inTransaction(pool, connection -> connection.preparedQuery(LINK)
                .execute(Tuple.of(issuer, subject, account, right == null ? null : right.toString()))
                .chain(() -> connection.preparedQuery(FIND).execute(Tuple.of(issuer, subject)))
                .map(IdentityRepository::identity)
                .call(identity -> AuditRepository.add(connection, author, AuditAction.LINK_IDENTITY, identity.id)))
                .call(() -> discard(issuer, subject));
    }

    /** Discards the cache entry of a subject, and all tokens in the cache: the subject may have made some of them. */
    private Uni<Void> discard(String issuer, String subject) {
        return cache.invalidate(new Key(issuer, subject)).chain(tokens::invalidateAll);
    }

    /** Blocks a subject. The result is false if no subject has this id. */
    Uni<Boolean> block(long id, Author author) {
        return Connections.inTransaction(pool, connection -> connection.preparedQuery(BLOCK).execute(Tuple.of(id))
                .call(rows -> rows.size() == 0
                        ? Uni.createFrom().voidItem()
                        : AuditRepository.add(connection, author, AuditAction.BLOCK_IDENTITY, id)))
                .chain(rows -> {
                    if (rows.size() == 0) {
                        return Uni.createFrom().item(false);
                    }
                    Row row = rows.iterator().next();
                    return discard(row.getString(0), row.getString(1)).replaceWith(true);
                });
    }

    /**
     * A page of all subjects, ordered by id.
     *
     * @param page
     *            number of the page, from 0
     */
    Uni<List<Identity>> list(int page, int pageSize) {
        return Connections
                .readAgainIfLost(() -> pool.preparedQuery(LIST).execute(Tuple.of(pageSize, (long) page * pageSize)))
                .map(rows -> {
                    List<Identity> identities = new ArrayList<>();
                    rows.forEach(row -> identities.add(Identity.of(row)));
                    return identities;
                });
    }

    Uni<Long> count() {
        return Connections.readAgainIfLost(() -> pool.preparedQuery(COUNT).execute())
                .map(rows -> rows.iterator().next().getLong(0));
    }
}
