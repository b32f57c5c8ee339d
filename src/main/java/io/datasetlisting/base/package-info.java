/**
 * What every folder may use: the exception of an error response, encodings, times, shares of the heap, names of places. It uses
 * no other folder. Rooms, highest first: place, base.
 */
package io.datasetlisting.base;
