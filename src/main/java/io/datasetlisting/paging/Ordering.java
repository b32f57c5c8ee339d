package io.datasetlisting.paging;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A total order of items: fields of the contract, each ascending or descending. The last field is unique.
 */
public record Ordering(List<Key> keys) {

    /** The field that orders items whose other sort fields are equal. */
    public static final String TIE_BREAKER = "id";

    /** One field to sort by. */
    public record Key(String field, boolean descending) {
    }

    /**
     * Parses {@code ordering=workspace,-captured_date}. Unknown fields are ignored, and only the first occurrence of a field counts. The
     * order ends with {@code id}, in the direction of the first field.
     *
     * @param text
     *            value of the parameter; null, or without a known field, for the order by {@code id}
     * @param sortable
     *            the fields to sort by
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
                        // The id is unique, so further fields have no effect. Without them an index can serve the order.
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

    /** The only field besides the id that breaks ties; empty with several fields. */
    public Optional<Key> onlyKey() {
        Key first = keys.get(0);
        return keys.size() == 1 || keys.size() == 2 && keys.get(1).equals(new Key(TIE_BREAKER, first.descending))
                ? Optional.of(first)
                : Optional.empty();
    }
}
