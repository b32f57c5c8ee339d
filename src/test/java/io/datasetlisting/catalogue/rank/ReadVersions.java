package io.datasetlisting.catalogue.rank;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.datasetlisting.access.account.Caller;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

/** A repository without a database: the test answers each read of the version. */
public class ReadVersions extends ListingVersionRepository {

    private final List<UniEmitter<? super Long>> reads = new CopyOnWriteArrayList<>();

    public ReadVersions() {
        super(null, null);
    }

    @Override
    public Uni<Long> read(Caller caller) {
        return Uni.createFrom().emitter(reads::add);
    }

    /** How many reads have begun. */
    public int count() {
        return reads.size();
    }

    /** Ends the newest read. */
    public void answer(long version) {
        reads.get(reads.size() - 1).complete(version);
    }

    /** Ends the newest read with a failure. */
    public void fail() {
        reads.get(reads.size() - 1).fail(new IllegalStateException("no database"));
    }
}
