/**
 * A view of the catalogue in words: the filters of a query as chips, as choices and as fields of a form; its title, its
 * orders, and the same view for programs.
 */
package io.datasetlisting.faces.view;
