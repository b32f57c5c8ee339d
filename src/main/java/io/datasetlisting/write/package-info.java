/**
 * What changes datasets: single edits, imports, sample data, mirrors, accounts that leave, the feed of these changes, and stored
 * exports. It may use {@code catalogue} and all folders below that one. Rooms, highest first: sample, mirror, change, exports,
 * bulk, edit, departure.
 */
package io.datasetlisting.write;
