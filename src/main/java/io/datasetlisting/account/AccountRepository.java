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

/** Accounts as they are stored. */
@ApplicationScoped
public class AccountRepository {

    private static final String ADD_MISSING = """
            insert into account (id, username) select * from unnest($1::bigint[], $2::text[])
            on conflict do nothing""";

    /** Those who are there under this id and this name. */
    private static final String FIND = """
            select a.id, a.username from account a
            join unnest($1::bigint[], $2::text[]) as wanted(id, username) using (id, username)""";

    private static final String CONTINUE_IDS = "select continue_sequence('account_id_seq', $1)";

    /** An account as datasets name it. */
    public record Owner(long id, String username) {
    }

    /** Null where the id is nobody's. */
    Uni<Account> find(long id) {
        return Connections.inSession(() -> Account.findById(id));
    }

    Uni<Account> findByName(String username) {
        return Connections.inSession(() -> Account.<Account>find("username", username).firstResult());
    }

    /** The account with what the database has given it. */
    Uni<Account> create(Account account) {
        return Connections.inSessionTransaction(() -> account.<Account>persistAndFlush()
                .chain(() -> Panache.getSession().invoke(session -> session.detach(account)))
                .chain(() -> Account.findById(account.id)));
    }

    /**
     * A page of all accounts, by id.
     *
     * @param page
     *            from 0
     */
    Uni<List<Account>> list(int page, int pageSize) {
        return Connections.inSession(() -> Account.<Account>find("order by id").page(page, pageSize).list());
    }

    Uni<Long> count() {
        return Connections.inSession(() -> Account.count());
    }

    /**
     * Adds the owners who are not there, each with a workspace.
     *
     * @return those who are there now; not the ones whose id or name belongs to another account
     */
    public Uni<Set<Owner>> ensure(SqlClient client, Collection<Owner> owners) {
        // Always in the same order, so that two who add the same ones wait for each other at most.
        List<Owner> sorted = owners.stream().sorted(Comparator.comparing(Owner::id)).toList();
        Tuple values = Tuple.of(sorted.stream().map(Owner::id).toArray(Long[]::new),
                sorted.stream().map(Owner::username).toArray(String[]::new));
        return client.preparedQuery(CONTINUE_IDS).execute(Tuple.of(sorted.get(sorted.size() - 1).id()))
                .chain(() -> client.preparedQuery(ADD_MISSING).execute(values))
                .chain(() -> client.preparedQuery(FIND).execute(values))
                .map(rows -> {
                    Set<Owner> there = new HashSet<>();
                    rows.forEach(row -> there.add(new Owner(row.getLong(0), row.getString(1))));
                    return there;
                });
    }
}
