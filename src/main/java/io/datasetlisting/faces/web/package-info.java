/**
 * What all pages for people have: their frame, how they are rendered, and their words in the languages of readers.
 */
package io.datasetlisting.faces.web;
