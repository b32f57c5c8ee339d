package io.datasetlisting.base;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How many places each client has, of those that one client may have at a time. */
public final class ClientPlaces {

    private final int each;
    private final Map<Object, Integer> taken = new ConcurrentHashMap<>();

    /**
     * @param each
     *            places that one client may have
     */
    public ClientPlaces(int each) {
        this.each = each;
    }

    /**
     * Takes a place, which {@link #leave} gives back.
     *
     * @throws ApiException
     *             429 if the client has as many as it may have
     */
    public void enter(Object client) {
        taken.compute(client, (same, number) -> {
            if (number != null && number >= each) {
                throw ApiException.tooMany(1);
            }
            return number == null ? 1 : number + 1;
        });
    }

    /** Gives a place of a client back. */
    public void leave(Object client) {
        taken.computeIfPresent(client, (same, number) -> number == 1 ? null : number - 1);
    }
}
