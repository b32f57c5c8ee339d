package io.datasetlisting.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;

/** Answers files of the class path. A file is read and compressed once. */
@Singleton
public class StaticFiles {

    private static final String ONE_YEAR = "public, max-age=31536000, immutable";

    private final Map<String, StaticFile> files = new ConcurrentHashMap<>();

    private record StaticFile(Buffer body, EntityTag tag, Compression.Cached compressed) {

        static StaticFile read(String name) {
            try (InputStream file = StaticFiles.class.getResourceAsStream(name)) {
                byte[] bytes = file.readAllBytes();
                return new StaticFile(Buffer.buffer(bytes), EntityTag.ofContent(bytes), new Compression.Cached());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * The response to a request for a file. The first request for a file takes longer than an event loop may be blocked.
     *
     * @param name
     *            of the file on the class path. There are only as many names as endpoints
     * @param isVersioned
     *            whether the address changes with the content, so that caches need not revalidate
     */
    public Response.ResponseBuilder answer(RoutingContext context, String name, boolean isVersioned) {
        StaticFile file = files.computeIfAbsent(name, StaticFile::read);
        Response.ResponseBuilder response = file.tag.isKnownTo(context)
                ? Response.notModified()
                : Response.ok(Compression.choose(context, file.body, file.compressed).getBytes())
                        .header(HttpHeaders.CONTENT_TYPE, Representation.of(context).mediaType());
        if (isVersioned) {
            response.header(HttpHeaders.CACHE_CONTROL, ONE_YEAR);
        }
        return response.header(HttpHeaders.ETAG, file.tag.toString());
    }
}
