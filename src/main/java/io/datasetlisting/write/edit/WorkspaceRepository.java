package io.datasetlisting.write.edit;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.AuditAction;
import io.datasetlisting.access.account.AuditRepository;
import io.datasetlisting.access.account.Author;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.search.WorkspaceTextRepository.Text;
import io.datasetlisting.postgres.database.Connections;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;

/** Writes what owners say about their workspaces. */
@ApplicationScoped
class WorkspaceRepository {

    /** Of all texts, because each instance holds all of them in memory. */
    private static final int MAX_BYTES = 1 << 20;

    /** One writer at a time, so that a reader that has seen a revision has seen all before it. */
    private static final String LOCK = "lock table workspace in share row exclusive mode";

    private static final String WRITE = """
            with other as (
                select coalesce(sum(octet_length(concat(name, description, license))), 0) as bytes from workspace
                where number <> $1)
            insert into workspace (number, name, description, license, revision)
            select $1, $2, $3, $4, (select coalesce(max(revision), 0) + 1 from workspace) from other
            where bytes + octet_length(concat($2::text, $3::text, $4::text)) <= $5
            on conflict (number) do update set name = excluded.name, description = excluded.description,
                license = excluded.license, revision = excluded.revision""";

    private static final String CHANGE_VERSION = "select change_listing_version()";

    private final Pool pool;

    WorkspaceRepository(Pool pool) {
        this.pool = pool;
    }

    /** Replaces the texts of a workspace. Fails with 409 without room for them. */
    Uni<Void> write(long number, Text text, Author author) {
        return Connections.inTransaction(pool, connection -> connection.query(LOCK).execute()
                .chain(() -> connection.preparedQuery(WRITE)
                        .execute(Tuple.of(number, text.name(), text.description(), text.license(), MAX_BYTES)))
                .invoke(written -> {
                    if (written.rowCount() == 0) {
                        throw new ApiException(409, "The catalogue has no room for more texts of workspaces.");
                    }
                })
                .chain(() -> connection.query(CHANGE_VERSION).execute())
                .chain(() -> AuditRepository.add(connection, author, AuditAction.DESCRIBE_WORKSPACE, number)));
    }
}
