package io.datasetlisting.account;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.database.Connections;
import io.quarkus.hibernate.reactive.panache.Panache;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads and writes accounts in the database. */
@ApplicationScoped
public class AccountRepository {

    private static final String ADD_MISSING = """
            insert into account (id, username) select * from unnest($1::bigint[], $2::text[])
            on conflict do nothing""";

    /** The owners that exist with the same id and the same name. */
    private static final String FIND = """
            select a.id, a.username from account a
            join unnest($1::bigint[], $2::text[]) as wanted(id, username) using (id, username)""";

    private static final String CONTINUE_IDS = "select continue_sequence('account_id_seq', $1)";

    /** Id and name of an account, as a dataset contains them. */
    public record Owner(long id, String username) {
    }

    /** The account with this id, or null. */
    Uni<Account> find(long id) {
        return Connections.inSession(() -> Account.findById(id));
    }

    Uni<Account> findByName(String username) {
        return Connections.inSession(() -> Account.<Account>find("username", username).firstResult());
    }

    /** Stores a new account. The result has the id and workspace that the database has assigned. */
    Uni<Account> create(Account account) {
        return Connections.inSessionTransaction(() -> {
            // A try that failed may have set it.
            account.id = null;
            return account.<Account>persistAndFlush()
                    .chain(() -> Panache.getSession().invoke(session -> session.detach(account)))
                    .chain(() -> Account.findById(account.id));
        });
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
     * @return the owners that exist now. An owner is missing if another account has its id or its name
     */
    public Uni<Set<Owner>> ensure(SqlClient client, Collection<Owner> owners) {
        // Always in the same order, so that two transactions that add the same accounts cannot deadlock.
        List<Owner> sorted = owners.stream().sorted(Comparator.comparing(Owner::id)).toList();
        Tuple values = Tuple.of(sorted.stream().map(Owner::id).toArray(Long[]::new),
                sorted.stream().map(Owner::username).toArray(String[]::new));
        return client.preparedQuery(CONTINUE_IDS).execute(Tuple.of(sorted.get(sorted.size() - 1).id()))
                .chain(() -> client.preparedQuery(ADD_MISSING).execute(values))
                .chain(() -> client.preparedQuery(FIND).execute(values))
                .map(rows -> {
                    Set<Owner> existing = new HashSet<>();
                    rows.forEach(row -> existing.add(new Owner(row.getLong(0), row.getString(1))));
                    return existing;
                });
    }
}
