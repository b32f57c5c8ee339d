package io.datasetlisting.dataset;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.Fields;
import io.datasetlisting.http.QueryString;
import io.datasetlisting.listing.ListRequest;
import io.datasetlisting.listing.ListingConfig;

/**
 * What a client asks of the listing, whichever way it is answered.
 *
 * @param fields
 *            what the answer shows of each dataset, in the order of the contract
 */
public record DatasetQuery(ListRequest request, DatasetFilter filter, Set<String> fields) {

    /**
     * @throws ApiException
     *             404 when {@code p} can't be a page's number; 400 with all filters that are wrong, or unknown
     *             {@code fields}
     */
    static DatasetQuery parse(QueryString query, ListingConfig config) {
        return new DatasetQuery(ListRequest.parse(query, config, DatasetColumns.SORTABLE), DatasetFilter.parse(query),
                fields(query));
    }

    /** As above, for an answer that has no pages: {@code p} and {@code page_size} mean nothing. */
    static DatasetQuery parseOrder(QueryString query, ListingConfig config) {
        return new DatasetQuery(ListRequest.parseOrder(query, config, DatasetColumns.SORTABLE),
                DatasetFilter.parse(query), fields(query));
    }

    /** The same question with what it takes to draw each dataset on a map. */
    DatasetQuery locating() {
        Set<String> more = new LinkedHashSet<>(fields);
        more.addAll(List.of("id", "bbox", "coordinates"));
        return new DatasetQuery(request, filter, more);
    }

    /** The same question with other fields in the answer. */
    DatasetQuery showing(Set<String> others) {
        return new DatasetQuery(request, filter, others);
    }

    /** The same question about a part of the map alone; null for no other than it is about. */
    DatasetQuery within(DatasetFilter.Box box) {
        return box == null ? this : new DatasetQuery(request, filter.within(box), fields);
    }

    /** {@code fields=id,dataset_name}, which may be repeated; all when it is not there. */
    private static Set<String> fields(QueryString query) {
        Set<String> asked = new LinkedHashSet<>();
        for (String value : query.getAll("fields")) {
            Arrays.stream(value.split(",")).map(String::strip).filter(name -> !name.isEmpty()).forEach(asked::add);
        }
        if (asked.isEmpty()) {
            return DatasetColumns.FIELDS;
        }
        List<String> unknown = asked.stream().filter(name -> !DatasetColumns.FIELDS.contains(name)).toList();
        if (!unknown.isEmpty()) {
            throw Fields.invalid("fields", Fields.notAChoice(unknown.get(0)));
        }
        return DatasetColumns.ordered(asked);
    }
}
