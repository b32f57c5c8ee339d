/**
 * The pages with many datasets: the list beside its map, what a search without a match may have meant, and the newest changes
 * as a page and as an Atom feed.
 */
package io.datasetlisting.faces.list;
