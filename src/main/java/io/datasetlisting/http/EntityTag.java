package io.datasetlisting.http;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/**
 * The ETag of something that is sent with links that end: which version of it, and which links.
 *
 * <p>
 * A reader who asks {@code If-None-Match} wants both to be the same, or a 304 would leave dead links. A writer who asks
 * {@code If-Match} has seen a version, whatever the links were.
 *
 * @param version
 *            goes up with each change
 * @param links
 *            another text for other links: letters, digits and hyphens
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#name-conditional-requests">RFC 9110, Conditional requests</a>
 */
public record EntityTag(long version, String links) {

    private static final Pattern LISTED_TAG = Pattern.compile("(W/)?\"([^\"]*)\"");

    /** Whether {@code If-None-Match} names this one, so that 304 is the answer. */
    public boolean isKnownTo(RoutingContext context) {
        String header = Compression.entityTags(context, HttpHeaders.IF_NONE_MATCH);
        return header != null && anyTag(header, tag -> tag.replace("W/", "").equals(toString()));
    }

    /**
     * @throws ApiException
     *             412 when {@code If-Match} names other versions alone, or {@code If-None-Match} this one
     */
    public void checkPrecondition(RoutingContext context) {
        String header = Compression.entityTags(context, HttpHeaders.IF_MATCH);
        // A weak tag never matches here.
        if (isKnownTo(context) || header != null && !anyTag(header, tag -> tag.startsWith("\"" + version + '-'))) {
            throw new ApiException(412, "Precondition failed: this is not the version that the request is about.");
        }
    }

    private static boolean anyTag(String header, Predicate<String> matches) {
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

    /** As the header has it, quotes included. */
    @Override
    public String toString() {
        return "\"" + version + '-' + links + '"';
    }
}
