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
import io.datasetlisting.http.Errors;
import io.quarkus.vertx.http.runtime.RouteConstants;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Finds out who sends a request ({@code Authorization: Token <key>}), whether that client has sent too many, whether there is
 * such an address, whether the client may call it, and whether it has the method, in this order and before all else.
 */
@Singleton
public class TokenAuthentication {

    private static final Logger LOG = Logger.getLogger(TokenAuthentication.class);

    /** Behind the filter that finds the endpoint, before the resources. */
    private static final int ORDER = -9;
    private static final int BEFORE_THE_RESOURCES = RouteConstants.ROUTE_ORDER_DEFAULT - 1;
    private static final Duration USE_IS_NOTED_EVERY = Duration.ofMinutes(1);

    private static final String[] NO_TOKEN = {""};

    private final TokenRepository tokens;
    private final RateLimit rateLimit;
    private final Clock clock;

    TokenAuthentication(TokenRepository tokens, RateLimit rateLimit, Clock clock) {
        this.tokens = tokens;
        this.rateLimit = rateLimit;
        this.clock = clock;
    }

    void register(@Observes Router router) {
        router.route("/api/*").order(ORDER).handler(this::authenticate);
        router.route().order(BEFORE_THE_RESOURCES).handler(TokenAuthentication::checkAdmitted);
    }

    /** Whatever way a request has taken: without a caller it reaches no resource. */
    private static void checkAdmitted(RoutingContext context) {
        if (Caller.of(context) == null) {
            Errors.send(context, ApiException.notFound());
        } else {
            context.next();
        }
    }

    private void authenticate(RoutingContext context) {
        HttpServerRequest request = context.request();
        try {
            // The database is not asked about an address that does not exist.
            String[] words = Endpoint.of(context) == null ? NO_TOKEN : words(request.getHeader("Authorization"));
            if (!words[0].equalsIgnoreCase("Token")) {
                admit(context, Caller.ANONYMOUS);
                return;
            }
            rateLimit.checkGuesses(request);
            if (words.length == 1) {
                throw invalid(request, "Invalid token header. No credentials provided.");
            }
            if (words.length > 2) {
                throw invalid(request, "Invalid token header. Token string should not contain spaces.");
            }
            // The body waits for the database.
            request.pause();
            find(context, ApiToken.hash(words[1]));
        } catch (ApiException e) {
            context.fail(e);
        }
    }

    private static String[] words(String authorization) {
        return authorization == null ? NO_TOKEN : authorization.strip().split("\\s+");
    }

    private ApiException invalid(HttpServerRequest request, String detail) {
        rateLimit.countGuess(request);
        return unauthenticated(detail);
    }

    private void find(RoutingContext context, byte[] hash) {
        tokens.find(hash).subscribe().with(token -> {
            Instant now = clock.instant();
            if (token == null || !MessageDigest.isEqual(token.keyHash(), hash) || !token.isGoodAt(now)) {
                refuse(context, invalid(context.request(), "Invalid token."));
                return;
            }
            noteUse(token, now);
            try {
                admit(context, token.caller());
            } catch (ApiException e) {
                refuse(context, e);
            }
        }, e -> refuse(context, e));
    }

    private static void refuse(RoutingContext context, Throwable e) {
        // Otherwise the next request of the connection would wait behind this one's body.
        context.request().resume();
        context.fail(e);
    }

    /**
     * Lets a request through to its resource: only a request that comes past here has a caller.
     *
     * @throws ApiException
     *             401, 403, 404 or 429
     */
    private void admit(RoutingContext context, Caller caller) {
        HttpServerRequest request = context.request();
        rateLimit.count(caller, request);
        Endpoint endpoint = Endpoint.of(context);
        if (endpoint == null) {
            throw ApiException.notFound();
        }
        checkAccess(endpoint.access(), caller, request);
        if (!endpoint.allows(request.method().name())) {
            context.fail(405);
            return;
        }
        caller.on(context);
        context.next();
    }

    private static void checkAccess(Endpoint.Access access, Caller caller, HttpServerRequest request) {
        boolean may = switch (access) {
            case OPEN -> isSafe(request.method()) || caller.mayWrite();
            case MEMBERS -> !caller.isAnonymous();
            case ADMINS -> caller.isAdmin();
        };
        if (!may) {
            throw caller.isAnonymous()
                    ? unauthenticated("Authentication credentials were not provided.")
                    : ApiException.forbidden();
        }
    }

    private static boolean isSafe(HttpMethod method) {
        return method == HttpMethod.GET || method == HttpMethod.HEAD || method == HttpMethod.OPTIONS;
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
