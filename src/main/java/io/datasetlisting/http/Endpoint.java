package io.datasetlisting.http;

/**
 * An address of the API, made known by the room that answers it as a CDI bean.
 *
 * @param path
 *            with a slash at both ends
 * @param allow
 *            its methods, as the {@code Allow} header names them
 */
public record Endpoint(String path, String allow) {
}
