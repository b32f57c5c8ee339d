package io.datasetlisting.access.account;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.postgres.database.Connections;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;

/** Stores the admin token of the configuration, and its account. */
@ApplicationScoped
class AdminTokenRepository {

    /** The name of the token in the table. */
    static final String NAME = "dataset.admin-token";

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

    private static final String IS_VALID = """
            select not (t.revoked or a.disabled) from api_token t join account a on a.id = t.account_id
            where t.key_hash = $1""";

    private final Pool pool;

    AdminTokenRepository(Pool pool) {
        this.pool = pool;
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
                                Tuple.of(NAME, hash, AuditAction.REVOKE_TOKEN.toString())))
                        .chain(() -> connection.preparedQuery(ADD_CONFIGURED).execute(
                                Tuple.of(NAME, hash, AuditAction.CREATE_TOKEN.toString())))
                        .chain(() -> connection.preparedQuery(IS_VALID).execute(Tuple.of(hash)))
                        .map(rows -> rows.iterator().next().getBoolean(0)))
                .onFailure(AccountRepository::isDuplicate)
                .transform(e -> new IllegalStateException("another account has this name, or one that differs only in"
                        + " case or normal form: set dataset.admin-username", e));
    }
}
