package io.datasetlisting.http;

import java.util.List;

/**
 * The answer to {@code OPTIONS}.
 *
 * @param renders
 *            media types that it answers in
 * @param parses
 *            media types that it reads
 */
public record ApiDescription(String name, String description, List<String> renders, List<String> parses) {
}
