package io.datasetlisting.account;

import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.Endpoint;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Finds out who sends a request ({@code Authorization: Token <key>}), whether they may, and whether the address has
 * their method, in this order and before all else.
 */
@Singleton
public class TokenAuthentication {

    private static final Logger LOG = Logger.getLogger(TokenAuthentication.class);

    /** Behind the filter that finds the endpoint, before the resources. */
    private static final int ORDER = -9;
    private static final Duration USE_IS_NOTED_EVERY = Duration.ofMinutes(1);

    private final TokenRepository tokens;
    private final Clock clock;

    public TokenAuthentication(TokenRepository tokens, Clock clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    void register(@Observes Router router) {
        router.route("/api/*").order(ORDER).handler(this::authenticate);
    }

    private void authenticate(RoutingContext context) {
        Endpoint endpoint = context.get(Endpoint.KEY);
        if (endpoint == null) {
            context.next();
            return;
        }
        String key = key(context.request().getHeader("Authorization"));
        if (key == null) {
            proceed(context, endpoint, Caller.ANONYMOUS);
            return;
        }
        // The body waits for the database.
        context.request().pause();
        byte[] hash = ApiToken.hash(key);
        tokens.find(hash).subscribe().with(token -> {
            Instant now = clock.instant();
            if (token == null || !MessageDigest.isEqual(token.keyHash(), hash) || !token.isGoodAt(now)) {
                context.fail(unauthenticated("Invalid token."));
                return;
            }
            noteUse(token, now);
            proceed(context, endpoint, token.caller());
        }, context::fail);
    }

    private static void proceed(RoutingContext context, Endpoint endpoint, Caller caller) {
        ApiException refusal = refusal(endpoint.access(), caller, context.request());
        if (refusal != null) {
            context.fail(refusal);
        } else if (!endpoint.allows(context.request().method().name())) {
            context.fail(405);
        } else {
            caller.on(context);
            context.next();
        }
    }

    /** Why the caller may not, or null. */
    private static ApiException refusal(Endpoint.Access access, Caller caller, HttpServerRequest request) {
        boolean may = switch (access) {
            case OPEN -> isSafe(request.method()) || caller.mayWrite();
            case MEMBERS -> !caller.isAnonymous();
            case ADMINS -> caller.isAdmin();
        };
        if (may) {
            return null;
        }
        return caller.isAnonymous()
                ? unauthenticated("Authentication credentials were not provided.")
                : ApiException.forbidden();
    }

    private static boolean isSafe(HttpMethod method) {
        return method == HttpMethod.GET || method == HttpMethod.HEAD || method == HttpMethod.OPTIONS;
    }

    /** The key, or null for a request without a token. */
    private static String key(String authorization) {
        String[] words = authorization == null ? new String[]{""} : authorization.strip().split("\\s+");
        if (!words[0].equalsIgnoreCase("Token")) {
            return null;
        }
        if (words.length == 1) {
            throw unauthenticated("Invalid token header. No credentials provided.");
        }
        if (words.length > 2) {
            throw unauthenticated("Invalid token header. Token string should not contain spaces.");
        }
        return words[1];
    }

    private static ApiException unauthenticated(String detail) {
        return new ApiException(401, detail);
    }

    /** Beside the request, which does not wait for it. */
    private void noteUse(TokenRepository.Known token, Instant now) {
        boolean due = token.lastUsed() == null || token.lastUsed().plus(USE_IS_NOTED_EVERY).isBefore(now);
        if (due && token.useNoted().compareAndSet(false, true)) {
            tokens.used(token.id(), now.truncatedTo(ChronoUnit.SECONDS)).subscribe().with(done -> {
            }, e -> LOG.debugf("Use of token %d not noted: %s", token.id(), e.getMessage()));
        }
    }
}
