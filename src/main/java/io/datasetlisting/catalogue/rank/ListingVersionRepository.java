package io.datasetlisting.catalogue.rank;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads the version of the listing: it increases with each change of any dataset. */
@ApplicationScoped
public class ListingVersionRepository {

    private static final String VERSION = "select " + RankedPageSql.LISTING;

    private final Reads reads;

    ListingVersionRepository(Reads reads) {
        this.reads = reads;
    }

    /** The version now, on the server that pages are read from. */
    public Uni<Long> read() {
        return reads.read(server -> server.pages().execute(VERSION, Tuple.tuple()))
                .map(rows -> rows.iterator().next().getLong(0));
    }
}
