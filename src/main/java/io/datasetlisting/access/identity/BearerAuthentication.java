package io.datasetlisting.access.identity;

import java.time.Clock;
import java.time.Instant;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.RateLimit;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.proxy.RequestId;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Identifies the caller of a request by a token of the provider: {@code Authorization: Bearer <JWT>}. */
@Singleton
public class BearerAuthentication {

    private static final String SCHEME = "Bearer";

    private final OidcConfig config;
    private final BearerTokens tokens;
    private final IdentityRepository identities;
    private final RateLimit rateLimit;
    private final Clock clock;
    /** Null without a provider. */
    private final String issuer;

    BearerAuthentication(OidcConfig config, BearerTokens tokens, IdentityRepository identities, RateLimit rateLimit,
            Clock clock) {
        this.config = config;
        this.tokens = tokens;
        this.identities = identities;
        this.rateLimit = rateLimit;
        this.clock = clock;
        issuer = config.issuer().map(Object::toString).orElse(null);
    }

    /**
     * Handler that finds the caller of a request, see {@link Caller#of}. Requests without a Bearer token keep the caller that
     * they have. Fails with 401 for an invalid token or a blocked subject, with 403 for a subject without an account or a right,
     * with 429 if the address has sent too many invalid tokens, and with 503 if the keys of the provider are needed and cannot be
     * read.
     */
    public void identify(RoutingContext context) {
        HttpServerRequest request = context.request();
        String token = issuer == null || Endpoint.of(context) == null
                ? null
                : token(request.getHeader("Authorization"));
        if (token == null) {
            context.next();
            return;
        }
        rateLimit.checkInvalidTokens(request);
        // No part of the body may arrive before a handler for it is set.
        request.pause();
        verify(token, context).onFailure(BearerAuthentication::isInvalid)
                .invoke(() -> rateLimit.countInvalidToken(request))
                .chain(claims -> caller(claims, RequestId.of(context))).emitOn(CallerContext.now())
                .subscribe().with(caller -> {
                    caller.storeIn(context, () -> verify(token, context)
                            .chain(claims -> caller(claims, RequestId.of(context))));
                    context.next();
                }, context::fail);
    }

    /** What follows the scheme, which may be empty; null for another scheme. */
    private static String token(String authorization) {
        String header = authorization == null ? "" : authorization.strip();
        int length = SCHEME.length();
        return header.regionMatches(true, 0, SCHEME, 0, length)
                && (header.length() == length || Character.isWhitespace(header.charAt(length)))
                        ? header.substring(length).strip()
                        : null;
    }

    private Uni<Claims> verify(String token, RoutingContext context) {
        try {
            return tokens.verify(token, context);
        } catch (ApiException e) {
            return Uni.createFrom().failure(e);
        }
    }

    private static boolean isInvalid(Throwable failure) {
        return failure instanceof ApiException api && api.status() == 401;
    }

    private Uni<Caller> caller(Claims claims, String requestId) {
        return identities.find(issuer, claims.subject())
                .chain(found -> found != null || !config.createAccounts()
                        ? Uni.createFrom().item(found)
                        : identities.create(issuer, claims.subject(),
                                AccountNames.of(claims.name(), issuer, claims.subject()), requestId))
                .call(identity -> identity == null
                        ? Uni.createFrom().voidItem()
                        : identities.see(identity, claims.right(), issued(claims)))
                .map(identity -> caller(identity, claims));
    }

    /** Not later than now: a provider whose clock is wrong for a moment must not hide what its next tokens say. */
    private Instant issued(Claims claims) {
        Instant now = clock.instant();
        return claims.issued() == null || claims.issued().isAfter(now) ? now : claims.issued();
    }

    private static Caller caller(IdentityRepository.Identity identity, Claims claims) {
        if (identity == null) {
            throw new ApiException(403,
                    "No account of this service belongs to this identity. Ask an administrator to link the"
                            + " subject " + ApiException.shorten(claims.subject()) + " to an account.");
        }
        if (identity.blocked()) {
            throw ApiException.invalidBearer("An administrator has blocked this identity.");
        }
        Right right = identity.right() == null ? claims.right() : identity.right();
        if (right == null) {
            throw new ApiException(403, "The provider gives this identity no right at this service.");
        }
        return identity.caller(right);
    }
}
