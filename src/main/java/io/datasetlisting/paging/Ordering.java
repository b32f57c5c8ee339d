package io.datasetlisting.paging;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A total order of datasets: field names of the contract, each ascending or descending, ending with a key that no two
 * datasets share.
 */
public record Ordering(List<Key> keys) {

    /** The field that breaks every tie. */
    public static final String TIE_BREAKER = "id";

    /** One field to sort by. */
    public record Key(String field, boolean descending) {
    }

    /**
     * Reads {@code ordering=workspace,-captured_date}. Unknown names are dropped, repeated ones count once; {@code id}
     * breaks ties in the direction of the first key.
     *
     * @param text
     *            the parameter's value; null or nothing known in it means by {@code id}
     * @param sortable
     *            the names that are on offer
     */
    public static Ordering parse(String text, Set<String> sortable) {
        List<Key> keys = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        if (text != null) {
            for (String part : text.split(",")) {
                String term = part.strip();
                boolean descending = term.startsWith("-");
                String field = descending ? term.substring(1) : term;
                if (sortable.contains(field) && seen.add(field)) {
                    keys.add(new Key(field, descending));
                    if (field.equals(TIE_BREAKER)) {
                        // Nothing is left to decide, and an index can serve the order.
                        break;
                    }
                }
            }
        }
        if (!seen.contains(TIE_BREAKER)) {
            keys.add(new Key(TIE_BREAKER, !keys.isEmpty() && keys.get(0).descending));
        }
        return new Ordering(List.copyOf(keys));
    }
}
