package io.datasetlisting.web;

/**
 * The frame of every page.
 *
 * @param catalogue
 *            name of the catalogue
 * @param title
 *            title of the page
 * @param description
 *            one sentence for search engines
 * @param root
 *            relative address of the service, {@code ../} for example: the service may stand behind a path prefix
 * @param canonical
 *            absolute address of the page; null for an error
 */
public record Layout(String catalogue, String title, String description, String root, String canonical) {
}
