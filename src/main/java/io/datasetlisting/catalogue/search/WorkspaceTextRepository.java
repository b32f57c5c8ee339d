package io.datasetlisting.catalogue.search;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.listing.ListingRepository;
import io.datasetlisting.postgres.database.QueryCoalescer;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;

/** What owners say about their workspaces. All of it is cached, because it has a bound when it is written. */
@ApplicationScoped
public class WorkspaceTextRepository {

    private static final Sql REVISION = Sql.of("select coalesce(max(revision), 0) from workspace");
    private static final Sql ALL = Sql.of("select number, name, description, license, revision from workspace");

    private final Reads reads;
    private final QueryCoalescer statements;
    private final CollectionExtents extents;
    private volatile Known last = new Known(0, Map.of());

    WorkspaceTextRepository(Reads reads, QueryCoalescer statements, CollectionExtents extents) {
        this.reads = reads;
        this.statements = statements;
        this.extents = extents;
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

    /** The texts of some workspaces by number, without the workspaces that have none or that the caller may not know. */
    public Uni<Map<Long, Text>> of(Collection<Long> numbers, Caller caller) {
        return all(caller).chain(all -> known(numbers.stream().filter(all::containsKey).toList(), caller).map(
                known -> known.stream().collect(Collectors.toMap(Function.identity(), all::get))));
    }

    /** The workspaces that the caller may know: its own one and those with public datasets, and an admin knows all. */
    public Uni<Set<Long>> known(Collection<Long> numbers, Caller caller) {
        Set<Long> all = Set.copyOf(numbers);
        return all.stream().allMatch(number -> isOwn(number, caller))
                ? Uni.createFrom().item(all)
                : extents.ofWorkspaces(caller).map(listed -> all.stream()
                        .filter(number -> isOwn(number, caller) || listed.find(number) >= 0)
                        .collect(Collectors.toSet()));
    }

    /** Whether the caller has the workspace, or all of them. */
    public static boolean isOwn(long number, Caller caller) {
        return caller.isAdmin() || !caller.isAnonymous() && caller.workspace() == number;
    }

    /** All texts by the number of their workspace, not older than the call on the server that the caller reads. */
    public Uni<Map<Long, Text>> all(Caller caller) {
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
