package io.datasetlisting.catalogue.search;

import java.util.HashMap;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.listing.ListingRepository;
import io.datasetlisting.postgres.database.QueryCoalescer;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;

/**
 * What owners say about their workspaces, which all callers may read. All of it is cached, because it has a bound when it is
 * written.
 */
@ApplicationScoped
public class WorkspaceTextRepository {

    private static final Sql REVISION = Sql.of("select coalesce(max(revision), 0) from workspace");
    private static final Sql ALL = Sql.of("select number, name, description, license, revision from workspace");

    private final Reads reads;
    private final QueryCoalescer statements;
    private volatile Known last = new Known(0, Map.of());

    WorkspaceTextRepository(Reads reads, QueryCoalescer statements) {
        this.reads = reads;
        this.statements = statements;
    }

    /**
     * What the owner of a workspace says about it. Each member is null unless it is given.
     *
     * @param license
     *            an SPDX identifier, or {@code other}
     */
    public record Text(String name, String description, String license) {

        public static final Text NONE = new Text(null, null, null);
    }

    private record Known(long revision, Map<Long, Text> texts) {
    }

    /** All texts by the number of their workspace, not older than the call on the server that the caller reads. */
    public Uni<Map<Long, Text>> read(Caller caller) {
        return ListingRepository.read(reads, caller, server -> statements.rows(server.pages(), REVISION).chain(rows -> {
            Known known = last;
            return rows.iterator().next().getLong(0) == known.revision
                    ? Uni.createFrom().item(known)
                    : statements.rows(server.pages(), ALL).map(WorkspaceTextRepository::read)
                            .invoke(read -> last = read);
        })).map(Known::texts);
    }

    private static Known read(Iterable<Row> rows) {
        long revision = 0;
        Map<Long, Text> texts = new HashMap<>();
        for (Row row : rows) {
            revision = Math.max(revision, row.getLong("revision"));
            texts.put(row.getLong("number"),
                    new Text(row.getString("name"), row.getString("description"), row.getString("license")));
        }
        return new Known(revision, Map.copyOf(texts));
    }
}
