package io.datasetlisting.access.account;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import org.hibernate.reactive.mutiny.Mutiny;

import io.datasetlisting.postgres.database.Connections;
import io.datasetlisting.postgres.replica.MaintenancePool;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.Tuple;

/** Writes entries of the audit, each in the transaction of its write, and reads and removes them. */
@Singleton
public class AuditRepository {

    /** null stands for all entries. An account that was renamed is found by its id and by its name now. */
    private static final String CONDITION = """
            ($1::text[] is null or account_id::text = any ($1)
                or account_id in (select account.id from account where username = any ($1)))
            and ($2::text[] is null or action = any ($2))
            and ($3::bigint is null or action like 'dataset.%' and $3 = any (ids))
            and ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at < $5)""";

    private static final String ADD = """
            insert into audit (account_id, token_id, identity_id, request_id, action, ids) values ($1, $2, $3, $4, $5, $6)""";

    private static final String ADD_COUNTS = """
            insert into audit (account_id, token_id, identity_id, request_id, action, ids, created, replaced)
            values ($1, $2, $3, $4, $5, $6, 0, $7) returning id""";

    private static final String READ = """
            select id, at, account_id, token_id, identity_id, action, ids, created, replaced, request_id from audit
            where id < $6 and\s""" + CONDITION + " order by id desc limit $7 offset $8";

    private static final String COUNT = "select count(*) from audit where " + CONDITION;

    /** The oldest entries have the lowest numbers, so no index of times is necessary. */
    private static final String FORGET = """
            with oldest as (select id, at from audit order by id limit $1),
            gone as (
                delete from audit using oldest
                where audit.id = oldest.id and oldest.at < now() - make_interval(secs => $2)
                returning 1)
            select count(*) from gone""";

    private static final int ENTRIES_AT_ONCE = 500;
    private static final int FORGET_AT_ONCE = 5_000;

    private final Pool pool;
    private final MaintenancePool maintenance;

    AuditRepository(Pool pool, MaintenancePool maintenance) {
        this.pool = pool;
        this.maintenance = maintenance;
    }

    /**
     * Adds an entry in the transaction of a session. The statement does not wait for the results of others, so that a read that
     * begins at the same time shares its round trip.
     */
    public static Uni<Void> add(Mutiny.Session session, Author author, AuditAction action, Long... ids) {
        return Connections.executeAtOnce(session, ADD, author.caller().accountId(), author.caller().tokenId(),
                author.caller().identityId(), author.requestId(), action.toString(), ids);
    }

    /** Adds an entry in the transaction of a connection. */
    public static Uni<Void> add(SqlClient client, Author author, AuditAction action, Long... ids) {
        return client.preparedQuery(ADD).execute(values(author, action).addArrayOfLong(ids)).replaceWithVoid();
    }

    /** Adds an entry with counts in the transaction of a connection, and returns its number. */
    public static Uni<Long> addCounts(SqlClient client, Author author, AuditAction action, Long[] ids, long replaced) {
        return client.preparedQuery(ADD_COUNTS).execute(values(author, action).addArrayOfLong(ids).addLong(replaced))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    private static Tuple values(Author author, AuditAction action) {
        return Tuple.of(author.caller().accountId(), author.caller().tokenId(), author.caller().identityId(),
                author.requestId(), action.toString());
    }

    /**
     * A page of entries, the newest first.
     *
     * @param page
     *            number of the page, from 0
     */
    Uni<List<AuditEntry>> list(AuditFilter filter, int page, int pageSize) {
        return read(filter, Long.MAX_VALUE, pageSize, (long) page * pageSize);
    }

    Uni<Long> count(AuditFilter filter) {
        return Connections.readAgainIfLost(() -> pool.preparedQuery(COUNT).execute(values(filter)))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    /** All entries of a filter in parts, the newest first. A part is read when the part before it has been taken. */
    public Multi<List<AuditEntry>> readAll(AuditFilter filter) {
        AtomicLong before = new AtomicLong(Long.MAX_VALUE);
        return Multi.createBy().repeating().uni(() -> read(filter, before.get(), ENTRIES_AT_ONCE, 0))
                .whilst(entries -> {
                    if (!entries.isEmpty()) {
                        before.set(entries.get(entries.size() - 1).id());
                    }
                    return entries.size() == ENTRIES_AT_ONCE;
                }).select().where(entries -> !entries.isEmpty());
    }

    private Uni<List<AuditEntry>> read(AuditFilter filter, long before, int limit, long offset) {
        return Connections.readAgainIfLost(() -> pool.preparedQuery(READ)
                .execute(values(filter).addLong(before).addInteger(limit).addLong(offset)))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false).map(AuditRepository::entry).toList());
    }

    private static Tuple values(AuditFilter filter) {
        return Tuple.of(filter.users(), filter.actions(), filter.dataset(), utc(filter.since()), utc(filter.until()));
    }

    private static OffsetDateTime utc(Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }

    private static AuditEntry entry(Row row) {
        return new AuditEntry(row.getLong(0), row.getOffsetDateTime(1).toInstant(), row.getLong(2), row.getLong(3),
                row.getLong(4), row.getString(5), Arrays.asList(row.getArrayOfLongs(6)), row.getLong(7), row.getLong(8),
                row.getString(9));
    }

    /** Removes all entries that are older than this, so many at a time that no transaction is long. Returns their number. */
    Uni<Long> forget(Duration age) {
        Tuple values = Tuple.of(FORGET_AT_ONCE, (double) age.toSeconds());
        return Multi.createBy().repeating()
                .uni(() -> maintenance.get().preparedQuery(FORGET).execute(values)
                        .map(rows -> rows.iterator().next().getLong(0)))
                .whilst(removed -> removed == FORGET_AT_ONCE).collect()
                .with(Collectors.summingLong(n -> n));
    }
}
