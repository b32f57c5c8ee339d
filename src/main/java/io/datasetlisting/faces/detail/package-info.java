/**
 * The page of one dataset: its fields, its place, how it is cited, the datasets around it; and two datasets side by side.
 */
package io.datasetlisting.faces.detail;
