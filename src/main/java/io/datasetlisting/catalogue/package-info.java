/**
 * What finds and counts datasets: conditions, pages, facets, aggregations, tiles, suggestions, and the index in memory. It may
 * use {@code dataset} and all folders below that one. Rooms, highest first: aggregation, tile, grid, facet, suggest, search,
 * listing, index, snapshot, column, query, cache, rank.
 */
package io.datasetlisting.catalogue;
