package io.datasetlisting.listing;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.input.DrfFields;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.paging.ListRequest;
import io.datasetlisting.paging.PagingConfig;

/**
 * What a client asks of the listing, whichever way it is answered.
 *
 * @param fields
 *            what the answer shows of each dataset, in the order of the contract
 */
public record ListingQuery(ListRequest request, Filter filter, FieldSelection fields) {

    /**
     * @throws ApiException
     *             404 when {@code p} can't be a page's number; 400 with all filters that are wrong, or unknown
     *             {@code fields}
     */
    static ListingQuery parse(QueryString query, PagingConfig config, DatasetFields table) {
        return new ListingQuery(ListRequest.parse(query, config, table.sortable()), Filter.parse(query),
                fields(query, table));
    }

    /** As above, for an answer that has no pages: {@code p} and {@code page_size} mean nothing. */
    public static ListingQuery parseOrder(QueryString query, PagingConfig config, DatasetFields table) {
        return new ListingQuery(ListRequest.parseOrder(query, config, table.sortable()),
                Filter.parse(query), fields(query, table));
    }

    /** The same question with what it takes to draw each dataset on a map. */
    ListingQuery locating() {
        return new ListingQuery(request, filter, fields.reading("id", "bbox", "coordinates"));
    }

    /** The same question with other fields in the answer. */
    ListingQuery showing(FieldSelection others) {
        return new ListingQuery(request, filter, others);
    }

    /** The same question about a part of the map alone; null for no other than it is about. */
    ListingQuery within(Filter.Box box) {
        return box == null ? this : new ListingQuery(request, filter.within(box), fields);
    }

    /** {@code fields=id,dataset_name}, which may be repeated; all when it is not there. */
    private static FieldSelection fields(QueryString query, DatasetFields table) {
        Set<String> asked = new LinkedHashSet<>();
        for (String value : query.getAll("fields")) {
            Arrays.stream(value.split(",")).map(String::strip).filter(name -> !name.isEmpty()).forEach(asked::add);
        }
        if (asked.isEmpty()) {
            return table.all();
        }
        List<String> unknown = asked.stream().filter(name -> !table.names().contains(name)).toList();
        if (!unknown.isEmpty()) {
            throw DrfFields.invalid("fields", DrfFields.notAChoice(unknown.get(0)));
        }
        return table.select(asked);
    }
}
