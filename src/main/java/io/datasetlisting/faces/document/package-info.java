/**
 * The documents and searches of the STAC API as pages.
 */
package io.datasetlisting.faces.document;
