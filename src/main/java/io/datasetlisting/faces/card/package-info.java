/**
 * A dataset as an entry of a list: what the card says, and its HTML, which is cached for each revision.
 */
package io.datasetlisting.faces.card;
