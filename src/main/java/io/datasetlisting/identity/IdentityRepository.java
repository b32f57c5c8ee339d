package io.datasetlisting.identity;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.account.AccountRepository;
import io.datasetlisting.account.AuditAction;
import io.datasetlisting.account.AuditRepository;
import io.datasetlisting.account.Author;
import io.datasetlisting.account.Caller;
import io.datasetlisting.account.Right;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.database.Connections;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/** Reads and writes the subjects of the provider of identities in the database, and caches the subjects of recent requests. */
@ApplicationScoped
class IdentityRepository {

    private static final String COLUMNS = """
            select i.id, i.issuer, i.subject, i.access_right, i.blocked or a.disabled, i.created, a.id, a.username, a.workspace
            from account_identity i join account a on a.id = i.account_id
            """;
    private static final String FIND = COLUMNS + "where i.issuer = $1 and i.subject = $2";
    private static final String LIST = COLUMNS + "order by i.id limit $1 offset $2";
    private static final String COUNT = "select count(*) from account_identity";

    /** First requests of one subject make its account one after the other. */
    private static final String LOCK = "select pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))";
    private static final String ADD_ACCOUNT = "insert into account (username) values ($1) returning id";
    private static final String ADD = "insert into account_identity (issuer, subject, account_id) values ($1, $2, $3)";

    private static final String LINK = """
            insert into account_identity (issuer, subject, account_id, access_right) values ($1, $2, $3, $4)
            on conflict (issuer, subject) do update
            set account_id = excluded.account_id, access_right = excluded.access_right, blocked = false""";
    private static final String BLOCK = """
            update account_identity set blocked = true where id = $1 returning issuer, subject""";

    private static final String UNIQUE_VIOLATION = "23505";
    private static final int TRIES = 3;

    private final Pool pool;
    private final Cache cache;

    IdentityRepository(Pool pool, @CacheName("identities") Cache cache) {
        this.pool = pool;
        this.cache = cache;
    }

    /**
     * A subject with its account. It is also blocked while its account is disabled.
     *
     * @param right
     *            takes the place of the right that the claims give; null if the claims decide
     */
    record Identity(long id, String issuer, String subject, Right right, boolean blocked, Instant created,
            long accountId,
            String username, long workspace) {

        private static Identity of(Row row) {
            return new Identity(row.getLong(0), row.getString(1), row.getString(2),
                    row.getString(3) == null ? null : Right.of(row.getString(3)), row.getBoolean(4),
                    row.getOffsetDateTime(5).toInstant(), row.getLong(6), row.getString(7), row.getLong(8));
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
                                        .execute(Tuple.of(issuer, subject, account)))
                                .chain(() -> connection.preparedQuery(FIND).execute(key))
                                .map(IdentityRepository::identity)
                                .call(identity -> AuditRepository.add(connection,
                                        new Author(identity.caller(null), requestId), AuditAction.CREATE_ACCOUNT,
                                        identity.accountId))))
                // An import has used the id, or another request the name.
                .onFailure(e -> e instanceof PgException pg && UNIQUE_VIOLATION.equals(pg.getSqlState())).retry()
                .atMost(TRIES)
                .call(() -> cache.invalidate(new Key(issuer, subject)));
    }

    private static Uni<Long> addAccount(SqlConnection connection, List<String> names, int next) {
        if (next == names.size()) {
            return Uni.createFrom()
                    .failure(new ApiException(403, "Other accounts have the names for the account of this identity."
                            + " Ask an administrator to link the identity to an account."));
        }
        return AccountRepository.isTaken(connection, names.get(next))
                .chain(isTaken -> isTaken
                        ? addAccount(connection, names, next + 1)
                        : connection.preparedQuery(ADD_ACCOUNT).execute(Tuple.of(names.get(next)))
                                .map(added -> added.iterator().next().getLong(0)));
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
                .call(() -> cache.invalidate(new Key(issuer, subject)));
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
                    return cache.invalidate(new Key(row.getString(0), row.getString(1))).replaceWith(true);
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
