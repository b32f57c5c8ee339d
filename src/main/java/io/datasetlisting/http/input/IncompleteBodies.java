package io.datasetlisting.http.input;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The bodies of which a part has not arrived, up to a maximum number. A further body takes the place of the one that
 * has waited longest: so clients that send slowly lose their places, and a client that sends at once never waits for
 * them.
 */
final class IncompleteBodies {

    private final int max;
    /** In the order of arrival. */
    private final Set<HeldBody> bodies = new LinkedHashSet<>();

    IncompleteBodies(int max) {
        this.max = max;
    }

    void add(HeldBody body) {
        HeldBody longest = insert(body);
        if (longest != null) {
            longest.giveWay();
        }
    }

    /** Adds a body. The result is the body that loses its place, or null. */
    private synchronized HeldBody insert(HeldBody body) {
        bodies.add(body);
        if (bodies.size() <= max) {
            return null;
        }
        Iterator<HeldBody> all = bodies.iterator();
        HeldBody longest = all.next();
        all.remove();
        return longest;
    }

    synchronized void remove(HeldBody body) {
        bodies.remove(body);
    }
}
