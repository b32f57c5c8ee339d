package io.datasetlisting.http.paging;

import jakarta.inject.Singleton;

import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads the key that authenticates the tokens of all instances. */
@Singleton
class TokenKeyRepository {

    private static final String KEY = "select key from search_key";

    private final Reads reads;

    TokenKeyRepository(Reads reads) {
        this.reads = reads;
    }

    Uni<byte[]> read() {
        return reads.read(from -> from.pages().execute(KEY, Tuple.tuple()))
                .map(rows -> rows.iterator().next().getBuffer("key").getBytes());
    }
}
