package io.datasetlisting.write.edit;

import java.util.function.UnaryOperator;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.AuditAction;
import io.datasetlisting.access.account.AuditRepository;
import io.datasetlisting.access.account.Author;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.search.WorkspaceTextRepository.Text;
import io.datasetlisting.postgres.database.Connections;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Writes what owners say about their workspaces. */
@ApplicationScoped
class WorkspaceRepository {

    /** Of all texts, because each instance holds all of them in memory. */
    private static final long MAX_BYTES = 1 << 20;

    /** Also before the texts are read, so that no change is lost. */
    private static final String LOCK = "lock table workspace in share row exclusive mode";

    private static final String FIND = "select name, description, license from workspace where number = $1";

    private static final String WRITE = "select write_workspace($1, $2, $3, $4, $5)";

    private final Pool pool;

    WorkspaceRepository(Pool pool) {
        this.pool = pool;
    }

    /** Changes the texts of a workspace, and returns the new ones. Fails with 409 without room for them. */
    Uni<Text> change(long number, UnaryOperator<Text> change, Author author) {
        return Connections.inTransaction(pool, connection -> connection.query(LOCK).execute()
                .chain(() -> connection.preparedQuery(FIND).execute(Tuple.of(number)))
                .chain(rows -> {
                    Text before = rows.size() == 0 ? Text.NONE : text(rows.iterator().next());
                    Text after = change.apply(before);
                    return after.equals(before)
                            ? Uni.createFrom().item(after)
                            : write(connection, number, after, author).replaceWith(after);
                }));
    }

    private static Text text(Row row) {
        return new Text(row.getString("name"), row.getString("description"), row.getString("license"));
    }

    private static Uni<Void> write(SqlConnection connection, long number, Text text, Author author) {
        return connection.preparedQuery(WRITE)
                .execute(Tuple.of(number, text.name(), text.description(), text.license(), MAX_BYTES))
                .invoke(written -> {
                    if (!written.iterator().next().getBoolean(0)) {
                        throw new ApiException(409, "The catalogue has no room for more texts of workspaces.");
                    }
                })
                .chain(() -> AuditRepository.add(connection, author, AuditAction.DESCRIBE_WORKSPACE, number));
    }
}
