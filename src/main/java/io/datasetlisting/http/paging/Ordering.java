package io.datasetlisting.http.paging;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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
     * Parses {@code ordering=workspace,-captured_date}. Unknown fields are ignored, and only the first occurrence of a field
     * counts. The order ends with {@code id}, in the direction of the first field.
     *
     * @param text
     *            value of the parameter; null, or without a known field, for the order by {@code id}
     * @param sortable
     *            the fields to sort by
     */
    public static Ordering parse(String text, Set<String> sortable) {
        return of(Stream.ofNullable(text).flatMap(terms -> Stream.of(terms.split(","))).map(String::strip)
                .map(term -> term.startsWith("-") ? new Key(term.substring(1), true) : new Key(term, false))
                .filter(key -> sortable.contains(key.field)).toList());
    }

    /**
     * The order of these keys, of which only the first with a field counts. It ends with {@code id}, in the direction of the
     * first.
     */
    public static Ordering of(List<Key> keys) {
        Map<String, Key> first = new LinkedHashMap<>();
        for (Key key : keys) {
            // The id is unique, so further fields have no effect. Without them an index can serve the order.
            if (!first.containsKey(TIE_BREAKER)) {
                first.putIfAbsent(key.field, key);
            }
        }
        first.putIfAbsent(TIE_BREAKER, new Key(TIE_BREAKER, !keys.isEmpty() && keys.get(0).descending));
        return new Ordering(List.copyOf(first.values()));
    }

    /** The only field besides the id that breaks ties; empty with several fields. */
    public Optional<Key> onlyKey() {
        Key first = keys.get(0);
        return keys.size() == 1 || keys.size() == 2 && keys.get(1).equals(new Key(TIE_BREAKER, first.descending))
                ? Optional.of(first)
                : Optional.empty();
    }
}
