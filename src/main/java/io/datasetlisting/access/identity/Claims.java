package io.datasetlisting.access.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.access.account.Right;
import io.datasetlisting.base.ApiException;

/**
 * What a token says about its subject. The claims are checked before the signature, so that no token of another issuer makes the
 * service ask the provider; they count only after the signature is verified.
 *
 * @param key
 *            the name of the key that has signed the token ({@code kid}); null if the token names none
 * @param name
 *            null if the token has none
 * @param right
 *            null if the claims give none
 * @param issued
 *            null if the token has none; the platform refuses such a token
 * @param notBefore
 *            null if the token has none
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9068#section-4">RFC 9068, validating access tokens</a>
 */
record Claims(String key, String subject, String name, Right right, Instant issued, Instant notBefore,
        Instant expires) {

    /** Neither {@code none}, nor a signature with a key that the provider shares or publishes. */
    private static final Set<String> ALGORITHMS = Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256",
            "ES384", "ES512", "EdDSA");
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");
    /** The specification of OpenID Connect limits subjects to this many characters. */
    private static final int MAX_SUBJECT = 255;
    /** The largest number of seconds with four digits of a year. */
    private static final long LAST_SECOND = 253_402_300_799L;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The claims of a token whose signature is not verified yet.
     *
     * @throws ApiException
     *             401 for a token that cannot be an access token for this service
     */
    static Claims read(String token, OidcConfig config) {
        if (token.isEmpty() || token.chars().anyMatch(Character::isWhitespace)) {
            throw invalid("Invalid token header. It has one word after Bearer.");
        }
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            throw invalid("The Bearer token is not a signed JWT.");
        }
        JsonNode header = json(parts[0]);
        if (!ALGORITHMS.contains(header.path("alg").asText())) {
            throw invalid("The signature algorithm of the Bearer token is not accepted.");
        }
        JsonNode claims = json(parts[1]);
        if (!config.issuer().orElseThrow().toString().equals(text(claims, "iss"))) {
            throw invalid("The Bearer token is of another issuer.");
        }
        if (!isAccessToken(header, claims)) {
            throw invalid("The Bearer token is not an access token.");
        }
        if (values(claims.path("aud")).noneMatch(config.audiences()::contains)
                || config.clients().isPresent() && !config.clients().get().contains(client(claims))) {
            throw invalid("The Bearer token is not for this service.");
        }
        String subject = text(claims, "sub");
        Instant expires = instant(claims, "exp");
        if (subject == null || subject.isEmpty() || subject.length() > MAX_SUBJECT || subject.indexOf('\0') >= 0
                || expires == null || claims.has("nbf") && instant(claims, "nbf") == null) {
            throw invalid("A claim of the Bearer token is missing or malformed.");
        }
        return new Claims(text(header, "kid"), subject, text(claims, config.nameClaim()), right(claims, config),
                instant(claims, "iat"),
                instant(claims, "nbf"), expires);
    }

    /**
     * ID tokens tell the client who has signed in, refresh tokens are for the provider, and a token that is bound to a key is not
     * a Bearer token.
     */
    private static boolean isAccessToken(JsonNode header, JsonNode claims) {
        String type = claims.path("typ").asText("Bearer");
        return TYPES.contains(header.path("typ").asText("JWT").toLowerCase(Locale.ROOT))
                && type.equalsIgnoreCase("Bearer")
                && Stream.of("nonce", "at_hash", "c_hash", "cnf", "events").noneMatch(claims::has);
    }

    private static String client(JsonNode claims) {
        return claims.has("azp") ? text(claims, "azp") : text(claims, "client_id");
    }

    private static Right right(JsonNode claims, OidcConfig config) {
        // The name of a claim may have slashes itself, as addresses do.
        JsonNode claim = claims.has(config.rightClaim())
                ? claims.get(config.rightClaim())
                : claims.at('/' + config.rightClaim());
        return values(claim).map(config::right).filter(right -> right != null).max(Comparator.naturalOrder())
                .orElse(config.defaultRight().orElse(null));
    }

    /** The texts of a claim that is one text or a list. */
    private static Stream<String> values(JsonNode claim) {
        return (claim.isArray() ? StreamSupport.stream(claim.spliterator(), false) : Stream.of(claim))
                .filter(JsonNode::isTextual).map(JsonNode::asText);
    }

    private static String text(JsonNode claims, String name) {
        String text = claims.path(name).isTextual() ? claims.get(name).asText() : null;
        // Half a character would be stored as another one.
        return text == null || StandardCharsets.UTF_8.newEncoder().canEncode(text) ? text : null;
    }

    private static Instant instant(JsonNode claims, String name) {
        JsonNode seconds = claims.path(name);
        return seconds.isNumber() && Math.abs(seconds.asDouble()) <= LAST_SECOND
                ? Instant.ofEpochSecond(seconds.asLong())
                : null;
    }

    private static JsonNode json(String part) {
        try {
            JsonNode json = JSON.readTree(Base64.getUrlDecoder().decode(part));
            if (json != null && json.isObject()) {
                return json;
            }
        } catch (IOException | IllegalArgumentException e) {
            // The same error as for JSON that is no object.
        }
        throw invalid("The Bearer token is not a signed JWT.");
    }

    /**
     * Checks the time, again for each request.
     *
     * @throws ApiException
     *             401 if the token has expired, or if it is not valid yet
     */
    void checkTime(Instant now, Duration leeway) {
        if (!now.isBefore(expires.plus(leeway))) {
            throw invalid("The Bearer token has expired.");
        }
        if (notBefore != null && now.isBefore(notBefore.minus(leeway))) {
            throw invalid("The Bearer token is not valid yet.");
        }
    }

    private static ApiException invalid(String detail) {
        return ApiException.invalidBearer(detail);
    }
}
