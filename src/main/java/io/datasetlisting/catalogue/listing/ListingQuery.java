package io.datasetlisting.catalogue.listing;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.query.Filter;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.PagingConfig;

/**
 * A request for datasets: page and order, filters, and the fields of the response.
 *
 * @param fields
 *            in the order of the contract
 */
public record ListingQuery(ListRequest request, Expression filter, FieldSelection fields) {

    /**
     *
     * @throws ApiException
     *            404 when {@code p} is not the number of a page; 400 with all wrong filters, or for unknown {@code
     *            fields}
     */
    public static ListingQuery parse(QueryString query, PagingConfig config, DatasetFields table, Caller caller) {
        return new ListingQuery(ListRequest.parse(query, config, table.sortable()), Filter.parse(query, table, caller),
                fields(query, table, table.listed()));
    }

    /** Parses the query of a response without pages: {@code p} and {@code page_size} are ignored. */
    public static ListingQuery parseOrder(QueryString query, PagingConfig config, DatasetFields table, Caller caller) {
        return parseOrder(query, config, table, caller, table.listed());
    }

    /**
     * Parses the query of an export as lines, GeoParquet or FlatGeobuf: it has all fields, unless {@code fields} names some.
     */
    public static ListingQuery parseExport(QueryString query, PagingConfig config, DatasetFields table, Caller caller) {
        return parseOrder(query, config, table, caller, table.all());
    }

    private static ListingQuery parseOrder(QueryString query, PagingConfig config, DatasetFields table, Caller caller,
            FieldSelection unnamed) {
        return new ListingQuery(ListRequest.parseOrder(query, config, table.sortable()),
                Filter.parse(query, table, caller), fields(query, table, unnamed));
    }

    /** This query, which also reads what a map needs of each dataset. */
    public ListingQuery locating() {
        return new ListingQuery(request, filter, fields.reading("id", "bbox", "coordinates"));
    }

    /** This query with other fields. */
    public ListingQuery showing(FieldSelection others) {
        return new ListingQuery(request, filter, others);
    }

    /** This query with one more box; this query itself for null. */
    ListingQuery within(Expression.Box box) {
        return box == null ? this : new ListingQuery(request, filter.and(box), fields);
    }

    /**
     * The parameter {@code fields=id,dataset_name}, which may be repeated, of the fields of a listing.
     *
     * @param unnamed
     *            the fields without this parameter
     */
    private static FieldSelection fields(QueryString query, DatasetFields table, FieldSelection unnamed) {
        Set<String> asked = new LinkedHashSet<>();
        for (String value : query.getAll("fields")) {
            Arrays.stream(value.split(",")).map(String::strip).filter(name -> !name.isEmpty()).forEach(asked::add);
        }
        if (asked.isEmpty()) {
            return unnamed;
        }
        List<String> unknown = asked.stream().filter(name -> !table.names().contains(name)).toList();
        if (!unknown.isEmpty()) {
            throw DrfFields.invalid("fields", DrfFields.notAChoice(unknown.get(0)));
        }
        return table.select(asked);
    }
}
