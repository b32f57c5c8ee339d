/**
 * What one dataset is: its fields, the rules of their values, its formats, its files, and conditions on it as trees. It may use
 * {@code access} and all folders below that one. Rooms, highest first: format, dataset, rule, raster, storage, cql2, parquet.
 */
package io.datasetlisting.dataset;
