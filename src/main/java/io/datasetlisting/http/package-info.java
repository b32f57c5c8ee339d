/**
 * Requests and responses, whatever they are about: connections, proxies, limits, queries, bodies, pages and positions. It may
 * use {@code postgres} and {@code base}. Rooms, highest first: paging, input, proxy, netty, http.
 */
package io.datasetlisting.http;
