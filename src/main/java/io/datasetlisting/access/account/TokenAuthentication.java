package io.datasetlisting.access.account;

import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.Sha256;
import io.datasetlisting.http.Endpoint;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Identifies the caller of a request by its token: {@code Authorization: Token <key>}. */
@Singleton
public class TokenAuthentication {

    private static final Logger LOG = Logger.getLogger(TokenAuthentication.class);

    private static final Duration LAST_USED_INTERVAL = Duration.ofMinutes(1);

    private static final String SCHEME = "Token";
    private static final String[] NO_TOKEN = {""};
    static final String INVALID = "Invalid token.";

    private final StoredTokenRepository tokens;
    private final RateLimit rateLimit;
    private final Clock clock;

    TokenAuthentication(StoredTokenRepository tokens, RateLimit rateLimit, Clock clock) {
        this.tokens = tokens;
        this.rateLimit = rateLimit;
        this.clock = clock;
    }

    /**
     * Handler that finds the caller of a request, see {@link Caller#of}. Fails with 401 for an invalid token, and with 429 if the
     * address has sent too many invalid tokens.
     */
    public void identify(RoutingContext context) {
        HttpServerRequest request = context.request();
        // An unknown path costs no query.
        String[] words = Endpoint.of(context) == null ? NO_TOKEN : split(request.getHeader("Authorization"));
        if (!words[0].equalsIgnoreCase(SCHEME)) {
            Caller.ANONYMOUS.storeIn(context);
            context.next();
            return;
        }
        rateLimit.checkInvalidTokens(request);
        if (words.length == 1) {
            throw invalid(request, "Invalid token header. No credentials provided.");
        }
        if (words.length > 2) {
            throw invalid(request, "Invalid token header. Token string should not contain spaces.");
        }
        // No part of the body may arrive before a handler for it is set.
        request.pause();
        findToken(context, Sha256.of(words[1]));
    }

    /** Tokens of a provider are long, and are not split in vain. */
    private static String[] split(String authorization) {
        String header = authorization == null ? "" : authorization.strip();
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()) ? header.split("\\s+") : NO_TOKEN;
    }

    private ApiException invalid(HttpServerRequest request, String detail) {
        rateLimit.countInvalidToken(request);
        return new ApiException(401, detail);
    }

    private void findToken(RoutingContext context, byte[] hash) {
        tokens.find(hash).subscribe().with(token -> {
            Instant now = clock.instant();
            ApiException refusal = refusal(token, hash, now);
            if (refusal != null) {
                rateLimit.countInvalidToken(context.request());
                context.fail(refusal);
                return;
            }
            recordUse(token, now);
            token.caller().storeIn(context, () -> checkAgain(hash));
            context.next();
        }, context::fail);
    }

    /** The error for a token that is not valid, or null. Only whoever has had the key learns why it is refused. */
    private static ApiException refusal(StoredToken token, byte[] hash, Instant now) {
        if (token == null || !MessageDigest.isEqual(token.keyHash(), hash)) {
            return new ApiException(401, INVALID);
        }
        String reason = token.refusalAt(now);
        return reason == null ? null : ApiException.invalidToken(INVALID, reason);
    }

    private Uni<Caller> checkAgain(byte[] hash) {
        return tokens.find(hash).map(token -> {
            ApiException refusal = refusal(token, hash, clock.instant());
            if (refusal != null) {
                throw refusal;
            }
            return token.caller();
        });
    }

    /** Stores the time of use, at most once per interval. The request does not wait for the statement. */
    private void recordUse(StoredToken token, Instant now) {
        boolean due = token.lastUsed() == null || token.lastUsed().plus(LAST_USED_INTERVAL).isBefore(now);
        if (due && token.useRecorded().compareAndSet(false, true)) {
            tokens.recordUse(token.id(), now.truncatedTo(ChronoUnit.SECONDS)).subscribe().with(done -> {
            }, e -> LOG.debugf("The use of token %d could not be stored: %s", token.id(), e.getMessage()));
        }
    }
}
