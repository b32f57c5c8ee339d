package io.datasetlisting.catalogue.rank;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.postgres.database.DatabaseServer;
import io.datasetlisting.postgres.database.QueryCoalescer;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/** Reads the version of the listing: it increases with each change of a listed dataset. */
@ApplicationScoped
public class ListingVersionRepository {

    private static final Sql VERSION = Sql.of("select " + RankedPageSql.LISTING);

    private final Reads reads;
    private final QueryCoalescer coalescer;

    ListingVersionRepository(Reads reads, QueryCoalescer coalescer) {
        this.reads = reads;
        this.coalescer = coalescer;
    }

    /** The version now, on the server that this caller's pages are read from. */
    public Uni<Long> read(Caller caller) {
        return reads.read(caller.mayWrite(), this::read).map(rows -> rows.iterator().next().getLong(0));
    }

    private Uni<RowSet<Row>> read(DatabaseServer server) {
        return coalescer.rows(server.pages(), VERSION);
    }
}
