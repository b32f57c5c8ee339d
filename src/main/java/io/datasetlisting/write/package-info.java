/**
 * What changes datasets: single edits, imports, sample data, mirrors, accounts that leave, and the feed of these changes. It may
 * use {@code catalogue} and all folders below that one. Rooms, highest first: sample, mirror, change, bulk, edit, departure.
 */
package io.datasetlisting.write;
