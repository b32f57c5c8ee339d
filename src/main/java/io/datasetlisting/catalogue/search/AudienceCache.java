package io.datasetlisting.catalogue.search;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

import io.datasetlisting.access.account.Caller;
import io.smallrye.mutiny.Uni;

/**
 * What callers see of the listing as a whole. It is cached while the listing version is the same.
 *
 * @param <T>
 *            the values of a caller
 */
final class AudienceCache<T> {

    private final Function<Caller, Uni<Long>> version;
    private final Function<Caller, Uni<T>> read;
    private final ToLongFunction<T> listing;
    private final ToIntFunction<T> weight;
    private final int maxWeight;
    /** By {@link Caller#audience}. */
    private final Map<String, T> last = new HashMap<>();
    private int weightOfAll;

    /**
     * @param version
     *            the listing version for a caller
     * @param listing
     *            the listing version of values
     * @param maxWeight
     *            of all cached values together
     */
    AudienceCache(Function<Caller, Uni<Long>> version, Function<Caller, Uni<T>> read, ToLongFunction<T> listing,
            ToIntFunction<T> weight, int maxWeight) {
        this.version = version;
        this.read = read;
        this.listing = listing;
        this.weight = weight;
        this.maxWeight = maxWeight;
    }

    Uni<T> of(Caller caller) {
        T known = get(caller);
        return known == null
                ? read(caller)
                : version.apply(caller).chain(current -> current == listing.applyAsLong(known)
                        ? Uni.createFrom().item(known)
                        : read(caller));
    }

    private Uni<T> read(Caller caller) {
        return read.apply(caller).invoke(values -> put(caller, values));
    }

    private synchronized T get(Caller caller) {
        return last.get(caller.audience());
    }

    /** All values are removed where there is no room. Values that are too large for the cache are not cached. */
    private synchronized void put(Caller caller, T values) {
        T old = last.remove(caller.audience());
        weightOfAll -= old == null ? 0 : weight.applyAsInt(old);
        int added = weight.applyAsInt(values);
        if (weightOfAll + added > maxWeight) {
            last.clear();
            weightOfAll = 0;
        }
        if (added <= maxWeight) {
            last.put(caller.audience(), values);
            weightOfAll += added;
        }
    }
}
