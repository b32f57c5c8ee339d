/**
 * The ground below maps: land and borders as lines, the files of it that a page asks for first, the small map of a footprint.
 */
package io.datasetlisting.faces.ground;
