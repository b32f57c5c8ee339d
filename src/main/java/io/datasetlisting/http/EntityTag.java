package io.datasetlisting.http;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.ws.rs.core.Response;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * The ETag of a resource with signed links: the version of the resource and the id of its links.
 *
 * <p>
 * {@code If-None-Match} of a reader must match both, because after a 304 the client continues to use its links. {@code If-Match} of a
 * writer only has to match the version.
 *
 * @param version
 *            increases with each change
 * @param links
 *            id that differs for different links: letters, digits and hyphens
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-conditional-requests">RFC 9110, Conditional requests</a>
 */
public record EntityTag(long version, String links) {

    private static final Pattern LISTED_TAG = Pattern.compile("(W/)?\"([^\"]*)\"");

    /** The tag of a body without signed links. */
    public static EntityTag ofContent(byte[] body) {
        return new EntityTag(hash(body), "content");
    }

    /** A hash of 63 bits. */
    public static long hash(byte[] bytes) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes)).getLong() & Long.MAX_VALUE;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Whether {@code If-None-Match} contains this tag, so that the response is 304. */
    public boolean isKnownTo(RoutingContext context) {
        String header = Compression.entityTags(context, HttpHeaders.IF_NONE_MATCH);
        return header != null && anyTagMatches(header, tag -> tag.replace("W/", "").equals(toString()));
    }

    /** The response with a body that has this tag, or 304 if the client knows the body. */
    public Response.ResponseBuilder respond(RoutingContext context, byte[] body, String mediaType) {
        Response.ResponseBuilder response = isKnownTo(context)
                ? Response.notModified()
                : Response.ok(body).header(HttpHeaders.CONTENT_TYPE.toString(), mediaType);
        return response.header(HttpHeaders.ETAG.toString(), this);
    }

    /**
     * Checks the preconditions of a write.
     *
     * @throws ApiException
     *             412 if {@code If-Match} contains only other versions, or if {@code If-None-Match} contains this tag
     */
    public void checkPrecondition(RoutingContext context) {
        String header = Compression.entityTags(context, HttpHeaders.IF_MATCH);
        // A weak tag never matches If-Match.
        if (isKnownTo(context)
                || header != null && !anyTagMatches(header, tag -> tag.startsWith("\"" + version + '-'))) {
            throw new ApiException(412, "Precondition failed: this is not the version that the request is about.");
        }
    }

    private static boolean anyTagMatches(String header, Predicate<String> matches) {
        if (header.strip().equals("*")) {
            return true;
        }
        for (Matcher tags = LISTED_TAG.matcher(header); tags.find();) {
            if (matches.test(tags.group())) {
                return true;
            }
        }
        return false;
    }

    /** The value of the header for responses that may differ in their bytes and mean the same. */
    public String weak() {
        return "W/" + this;
    }

    /** The value of the header, with its quotes. */
    @Override
    public String toString() {
        return "\"" + version + '-' + links + '"';
    }
}
