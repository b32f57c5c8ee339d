package io.datasetlisting.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.base.ApiException;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;

/** Answers files of the class path. A file is read and compressed once. */
@Singleton
public class StaticFiles {

    /** An address that changes with the content, so that caches need not revalidate. */
    private static final Pattern WITH_VERSION = Pattern.compile("-\\d+[.]\\d+[.]\\d+[.]");
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

    /** The content of a file on the class path, for an address outside of {@link Endpoints}. The first call reads the file. */
    Buffer content(String name) {
        return files.computeIfAbsent(name, StaticFile::read).body;
    }

    /**
     * The response to a request for a file. The first request for a file takes longer than an event loop may be blocked.
     *
     * @param names
     *            the file on the class path for each address
     *
     * @throws ApiException
     *             404 for an address without a file
     */
    public Response answer(RoutingContext context, Map<String, String> names) {
        String path = Endpoint.of(context).path();
        String name = names.get(path);
        if (name == null) {
            throw ApiException.notFound();
        }
        StaticFile file = files.computeIfAbsent(name, StaticFile::read);
        Response.ResponseBuilder response = file.tag.isKnownTo(context)
                ? Response.notModified()
                : Response.ok(Compression.choose(context, file.body, file.compressed).getBytes())
                        .header(HttpHeaders.CONTENT_TYPE, Representation.of(context).mediaType());
        if (WITH_VERSION.matcher(path).find()) {
            response.header(HttpHeaders.CACHE_CONTROL, ONE_YEAR);
        }
        return response.header(HttpHeaders.ETAG, file.tag.toString()).build();
    }
}
