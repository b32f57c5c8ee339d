package io.datasetlisting.account;

import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.Endpoint;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Identifies the caller of a request by its token: {@code Authorization: Token <key>}. */
@Singleton
public class TokenAuthentication {

    private static final Logger LOG = Logger.getLogger(TokenAuthentication.class);

    private static final Duration USE_RECORD_INTERVAL = Duration.ofMinutes(1);

    private static final String[] NO_TOKEN = {""};

    private final TokenRepository tokens;
    private final RateLimit rateLimit;
    private final Clock clock;

    TokenAuthentication(TokenRepository tokens, RateLimit rateLimit, Clock clock) {
        this.tokens = tokens;
        this.rateLimit = rateLimit;
        this.clock = clock;
    }

    /** Finds the caller, see {@link Caller#of}. Fails with 401 for an invalid token, and with 429 for too many of them. */
    public void identify(RoutingContext context) {
        HttpServerRequest request = context.request();
        // An unknown path costs no query.
        String[] words = Endpoint.of(context) == null ? NO_TOKEN : words(request.getHeader("Authorization"));
        if (!words[0].equalsIgnoreCase("Token")) {
            Caller.ANONYMOUS.on(context);
            context.next();
            return;
        }
        rateLimit.checkGuesses(request);
        if (words.length == 1) {
            throw invalid(request, "Invalid token header. No credentials provided.");
        }
        if (words.length > 2) {
            throw invalid(request, "Invalid token header. Token string should not contain spaces.");
        }
        // No part of the body may arrive before a handler for it is set.
        request.pause();
        find(context, ApiToken.hash(words[1]));
    }

    private static String[] words(String authorization) {
        return authorization == null ? NO_TOKEN : authorization.strip().split("\\s+");
    }

    private ApiException invalid(HttpServerRequest request, String detail) {
        rateLimit.countGuess(request);
        return new ApiException(401, detail);
    }

    private void find(RoutingContext context, byte[] hash) {
        tokens.find(hash).subscribe().with(token -> {
            Instant now = clock.instant();
            if (token == null || !MessageDigest.isEqual(token.keyHash(), hash) || !token.isGoodAt(now)) {
                context.fail(invalid(context.request(), "Invalid token."));
                return;
            }
            recordUse(token, now);
            token.caller().on(context);
            context.next();
        }, context::fail);
    }

    /** The request does not wait for the statement. */
    private void recordUse(TokenRepository.Known token, Instant now) {
        boolean due = token.lastUsed() == null || token.lastUsed().plus(USE_RECORD_INTERVAL).isBefore(now);
        if (due && token.useNoted().compareAndSet(false, true)) {
            tokens.used(token.id(), now.truncatedTo(ChronoUnit.SECONDS)).subscribe().with(done -> {
            }, e -> LOG.debugf("Use of token %d not noted: %s", token.id(), e.getMessage()));
        }
    }
}
