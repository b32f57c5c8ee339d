package io.datasetlisting.http;

import java.util.function.Predicate;
import java.util.regex.Pattern;

import jakarta.ws.rs.core.Response;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.Sha256;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * The ETag of a response: the version of what it shows, and its form.
 *
 * <p>
 * The tags of a single dataset, of an item and of a stored export are strong. All other tags are weak, because a compressed body
 * has the tag of the plain body.
 * {@code If-None-Match} of a reader must match the version and the form, because after a 304 the client continues to use its
 * links.
 * {@code If-Match} of a writer only has to match the version. A proxy that compresses a response makes its strong tag weak, or
 * adds the name of the coding to it. The tag still names the version, so such a tag matches too, which is beyond RFC 9110 for
 * {@code If-Match}.
 *
 * @param version
 *            increases with each change, or is a hash of the content
 * @param form
 *            differs for bodies of the same version that mean different things, and for different signed links: letters,
 *            digits and hyphens
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-conditional-requests">RFC 9110, Conditional requests</a>
 */
public record EntityTag(long version, String form) {

    /** A tag as a proxy passes it on: Apache and Jetty add {@code -gzip}, {@code --gzip} or {@code ;gzip} to it. */
    private static final Pattern LISTED_TAG = Pattern
            .compile("(?:W/)?\"([^\"]*?)(?:(?:--?|;)(?:gzip|deflate|br|zstd))?\"");

    /** The tag of a body without signed links. */
    public static EntityTag ofContent(byte[] body) {
        return new EntityTag(Sha256.number(body), "content");
    }

    /** Whether {@code If-None-Match} contains this tag, so that the response is 304. Weak and strong tags are equal here. */
    public boolean isKnownTo(RoutingContext context) {
        return anyTagMatches(context, HttpHeaders.IF_NONE_MATCH, tag -> tag.equals(opaque()));
    }

    /** The response with a body that has this tag, or 304 if the client knows the body. */
    public Response.ResponseBuilder respond(RoutingContext context, byte[] body, String mediaType) {
        Response.ResponseBuilder response = isKnownTo(context)
                ? Response.notModified()
                : Response.ok(body).header(HttpHeaders.CONTENT_TYPE.toString(), mediaType);
        return response.header(HttpHeaders.ETAG.toString(), this);
    }

    /** The response to a client that knows the body with this tag, in the form of the header. */
    public static Response notModified(String tag) {
        return Response.notModified().header(HttpHeaders.ETAG.toString(), tag).build();
    }

    /**
     * Checks the preconditions of a write.
     *
     * @throws ApiException
     *             412 if {@code If-Match} contains only other versions, or if {@code If-None-Match} contains this tag
     */
    public void checkPrecondition(RoutingContext context) {
        if (isKnownTo(context) || context.request().headers().contains(HttpHeaders.IF_MATCH)
                && !anyTagMatches(context, HttpHeaders.IF_MATCH, tag -> tag.startsWith(version + "-"))) {
            throw new ApiException(412, "Precondition failed: this is not the version that the request is about.");
        }
    }

    private static boolean anyTagMatches(RoutingContext context, CharSequence header, Predicate<String> matches) {
        String tags = String.join(",", context.request().headers().getAll(header));
        return !tags.isEmpty() && (tags.strip().equals("*")
                || LISTED_TAG.matcher(tags).results().anyMatch(listed -> matches.test(listed.group(1))));
    }

    /** The value of the header for a response that is never compressed, and whose bytes change only with the tag. */
    public String strong() {
        return '"' + opaque() + '"';
    }

    private String opaque() {
        return version + "-" + form;
    }

    /** The value of the header for all other responses. */
    @Override
    public String toString() {
        return "W/" + strong();
    }
}
