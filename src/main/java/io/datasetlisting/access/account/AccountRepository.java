package io.datasetlisting.access.account;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.postgres.database.Connections;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/** Reads and writes accounts in the database. */
@ApplicationScoped
public class AccountRepository {

    private static final String ADD = "insert into account (username) values ($1) returning id, workspace";

    /** An existing account takes no workspace from the sequence. */
    private static final String ADD_MISSING = """
            with added as (
                insert into account (id, username)
                select * from unnest($1::bigint[], $2::text[]) as wanted(id, username)
                where not exists (select from account where account.id = wanted.id)
                on conflict do nothing
                returning id)
            insert into audit (account_id, token_id, identity_id, request_id, action, ids)
            select $3::bigint, $4::bigint, $5::bigint, $6::text, $7::text, array_agg(id) from added having count(*) > 0""";

    /** The owners that no account has, each with the accounts that have its id, and its name but for case and normal form. */
    private static final String FIND_OTHERS = """
            select wanted.id, wanted.username, by_id.username, by_name.username
            from unnest($1::bigint[], $2::text[]) as wanted(id, username)
            left join account by_id on by_id.id = wanted.id
            left join account by_name on username_key(by_name.username) = username_key(wanted.username)
            where by_id.username is distinct from wanted.username""";

    private static final String IS_TAKEN = """
            select exists (select from account where username_key(username) = username_key($1))""";

    /** The constraint that fails when a concurrent import has used the id. A retry gets the next id. */
    private static final String ID_IS_TAKEN = "account_pkey";
    private static final String UNIQUE_VIOLATION = "23505";
    private static final int RETRIES = 3;

    /** A number of the upper half does not move a sequence: an import of one account could use up all numbers. */
    private static final String CONTINUE_IDS = """
            select continue_sequence('account_id_seq', $1) where $1 <= 1::bigint << 52""";

    /** Id and name of an account, as a dataset contains them. */
    public record Owner(long id, String username) {
    }

    private final Pool pool;

    AccountRepository(Pool pool) {
        this.pool = pool;
    }

    /** The account with this id, or null. */
    public Uni<Account> find(long id) {
        return Connections.inSession(() -> Account.findById(id));
    }

    /**
     * The account that a field of a request names; null, with a message about the field, if there is none.
     *
     * @param id
     *            null if the field has no value, or a wrong one
     */
    public Uni<Account> named(DrfFields fields, String field, Long id) {
        return id == null
                ? Uni.createFrom().nullItem()
                : find(id).invoke(account -> {
                    if (account == null) {
                        fields.refuse(field, noSuch(id));
                    }
                });
    }

    /** The message about a field that names an account which does not exist. */
    public static String noSuch(long id) {
        return "Invalid pk \"" + id + "\" - object does not exist.";
    }

    /** Whether an account has this name, or one that differs only in case or normal form. */
    Uni<Boolean> isTaken(String username) {
        return Connections.readAgainIfLost(() -> isTaken(pool, username));
    }

    /** Whether an account has this name, on a connection whose transaction may have added accounts. */
    public static Uni<Boolean> isTaken(SqlClient client, String username) {
        return client.preparedQuery(IS_TAKEN).execute(Tuple.of(username))
                .map(rows -> rows.iterator().next().getBoolean(0));
    }

    /** Stores a new account. Fails as {@link #isDuplicate} tells if another account has its name. */
    Uni<Account> create(String username, Author author) {
        return Connections.inTransaction(pool, connection -> add(connection, username)
                .call(account -> AuditRepository.add(connection, author, AuditAction.CREATE_ACCOUNT, account.id)))
                .onFailure(AccountRepository::isIdTaken).retry().atMost(RETRIES);
    }

    /** Stores a new account in the transaction of a connection. Fails as {@link #create}. */
    public static Uni<Account> add(SqlClient client, String username) {
        return client.preparedQuery(ADD).execute(Tuple.of(username))
                .map(rows -> rows.iterator().next())
                .map(row -> Account.of(row.getLong(0), username, row.getLong(1)));
    }

    private static boolean isIdTaken(Throwable failure) {
        return failure instanceof PgException refused && ID_IS_TAKEN.equals(refused.getConstraint());
    }

    /** Whether a statement failed because another row has a value that only one row may have. */
    public static boolean isDuplicate(Throwable failure) {
        return failure instanceof PgException refused && UNIQUE_VIOLATION.equals(refused.getSqlState());
    }

    /**
     * A page of all accounts, ordered by id.
     *
     * @param page
     *            number of the page, from 0
     */
    Uni<List<Account>> list(int page, int pageSize) {
        return Connections.inSession(() -> Account.<Account>find("order by id").page(page, pageSize).list());
    }

    Uni<Long> count() {
        return Connections.inSession(() -> Account.count());
    }

    /**
     * Adds an account for each owner that does not exist, with a workspace.
     *
     * @param owners
     *            not empty
     *
     * @return the owners that have no account, each with the reason
     */
    public Uni<Map<Owner, String>> ensure(SqlClient client, Collection<Owner> owners, Author author) {
        // Always in the same order, so that two transactions that add the same accounts cannot deadlock.
        List<Owner> sorted = owners.stream().sorted(Comparator.comparing(Owner::id)).toList();
        return client.preparedQuery(CONTINUE_IDS).execute(Tuple.of(sorted.get(sorted.size() - 1).id()))
                .chain(() -> client.preparedQuery(ADD_MISSING).execute(values(sorted)
                        .addValue(author.caller().accountId()).addValue(author.caller().tokenId())
                        .addValue(author.caller().identityId()).addValue(author.requestId())
                        .addValue(AuditAction.CREATE_ACCOUNT.toString())))
                .chain(() -> withoutAccount(client, sorted));
    }

    /** The owners that have no account, each with the reason. */
    public Uni<Map<Owner, String>> withoutAccount(SqlClient client, Collection<Owner> owners) {
        return client.preparedQuery(FIND_OTHERS).execute(values(owners)).map(rows -> {
            Map<Owner, String> reasons = new HashMap<>();
            rows.forEach(row -> reasons.put(new Owner(row.getLong(0), row.getString(1)),
                    reason(row.getString(1), row.getString(2), row.getString(3))));
            return reasons;
        });
    }

    private static String reason(String username, String nameOfId, String alike) {
        if (alike != null && !alike.equals(username)) {
            return "The account \"" + alike + "\" has this name in another spelling.";
        }
        return nameOfId == null && alike == null
                ? "No workspace is left for this account."
                : "This id or this name belongs to another account here.";
    }

    private static Tuple values(Collection<Owner> owners) {
        return Tuple.of(owners.stream().map(Owner::id).toArray(Long[]::new),
                owners.stream().map(Owner::username).toArray(String[]::new));
    }
}
