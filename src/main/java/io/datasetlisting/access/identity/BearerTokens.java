package io.datasetlisting.access.identity;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;

import jakarta.inject.Singleton;

import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.lang.UnresolvableKeyException;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.Sha256;
import io.datasetlisting.postgres.database.TurnQueue;
import io.quarkus.oidc.AccessTokenCredential;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.request.TokenAuthenticationRequest;
import io.quarkus.vertx.http.runtime.security.HttpSecurityUtils;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Verifies the tokens of the provider, and remembers those that it has verified: their next requests need neither arithmetic nor
 * the provider.
 */
// Caffeine loads these implementation classes by name.
@RegisterForReflection(classNames = {"com.github.benmanes.caffeine.cache.SSMSA",
        "com.github.benmanes.caffeine.cache.PSWMS"})
@Singleton
public class BearerTokens {

    private static final String AWAY = "The keys of the provider of identities cannot be read now, so that this token cannot be"
            + " verified. Try again later.";

    private static final long MAX_TOKENS = 10_000;
    /** Tokens that are verified at a time, and beside them tokens that wait for the next reading of the keys. */
    private static final int MAX_RUNNING = 64;
    private static final int MAX_WAITING = 64;
    /** The provider's keys have been read in the meantime, or may be read again. */
    private static final Duration NEXT_READING = OidcTenant.KEYS_INTERVAL.plusMillis(100);
    private static final Duration MAX_TIME = Duration.ofSeconds(6);

    private final OidcConfig config;
    private final IdentityProviderManager platform;
    private final Clock clock;
    private final ProviderKeys keys;
    private final Cache<ByteBuffer, Verified> verified;
    private final TurnQueue running = queue(MAX_RUNNING);
    private final TurnQueue waiting = queue(MAX_WAITING);
    /** Until this time, as {@link System#nanoTime} gives it, a provider whose keys are not known is not asked again. */
    private volatile long awayUntil = System.nanoTime();

    BearerTokens(OidcConfig config, IdentityProviderManager platform, ProviderKeys keys, Clock clock) {
        this.config = config;
        this.platform = platform;
        this.keys = keys;
        this.clock = clock;
        verified = Caffeine.newBuilder().maximumSize(MAX_TOKENS).executor(Runnable::run)
                .expireAfter(Expiry.<ByteBuffer, Verified>creating((hash, token) -> Duration
                        .between(clock.instant(), token.claims.expires()).plus(config.leeway())))
                .build();
    }

    private static TurnQueue queue(int max) {
        return new TurnQueue(max, 0, Duration.ZERO,
                "Too many new tokens are verified at the same time, try again later.");
    }

    /**
     * @param key
     *            the key that has signed the token, as the provider has published it. The token is verified again when the
     *            provider publishes another one, or none
     */
    private record Verified(Claims claims, String key) {
    }

    /**
     * The claims of a token. Fails with 401 for an invalid token, and with 503 if the provider is needed and does not answer.
     *
     * @throws ApiException
     *             401 for a token that is invalid whatever its signature says
     */
    Uni<Claims> verify(String token, RoutingContext context) {
        ByteBuffer hash = ByteBuffer.wrap(Sha256.of(token));
        Verified known = verified.getIfPresent(hash);
        Claims claims = known == null ? Claims.read(token, config) : known.claims;
        claims.checkTime(clock.instant(), config.leeway());
        if (known != null && keys.areKnown() && known.key.equals(keys.key(claims.key()))) {
            return Uni.createFrom().item(claims);
        }
        return verifyNow(token, claims, context)
                .onFailure(ProviderKeys::isOfUnknownKey).recoverWithUni(() -> verifyLater(token, claims, context))
                .onFailure(e -> !(e instanceof ApiException)).transform(this::refusal)
                .invoke(key -> verified.put(hash, new Verified(claims, key))).replaceWith(claims);
    }

    /** The key of a token whose signature is right. */
    private Uni<String> verifyNow(String token, Claims claims, RoutingContext context) {
        if (!keys.areKnown() && System.nanoTime() - awayUntil < 0) {
            return Uni.createFrom().failure(new ApiException(503, AWAY));
        }
        return running.run(() -> Uni.createFrom().deferred(() -> {
            TokenAuthenticationRequest request = new TokenAuthenticationRequest(new AccessTokenCredential(token));
            HttpSecurityUtils.setRoutingContextAttribute(request, context);
            return platform.authenticate(request);
        }).ifNoItem().after(MAX_TIME).fail().chain(() -> key(claims)));
    }

    /** The platform may just have used keys that the provider does not publish any more, or that are too old. */
    private Uni<String> key(Claims claims) {
        if (!keys.areKnown()) {
            return Uni.createFrom().failure(new IllegalStateException("the keys are older than " + config.keysKept()));
        }
        String key = keys.key(claims.key());
        return key == null
                ? Uni.createFrom().failure(new UnresolvableKeyException("the provider has withdrawn the key"))
                : Uni.createFrom().item(key);
    }

    /** A token with a new key: the provider uses keys before the service knows them. */
    private Uni<String> verifyLater(String token, Claims claims, RoutingContext context) {
        return waiting.run(() -> Uni.createFrom().voidItem().onItem().delayIt().by(NEXT_READING))
                .chain(() -> verifyNow(token, claims, context));
    }

    private ApiException refusal(Throwable failure) {
        boolean isUndecided = failure.getCause() != null || !(failure instanceof AuthenticationFailedException);
        if (!isUndecided || ProviderKeys.isOfUnknownKey(failure) || isInvalid(failure)) {
            return ApiException.invalidBearer("The signature of the Bearer token is wrong, or a claim is missing.");
        }
        awayUntil = System.nanoTime() + OidcTenant.KEYS_INTERVAL.toNanos();
        keys.failed("cannot be read: " + last(failure));
        return new ApiException(503, AWAY);
    }

    /** The platform wraps the reason in failures that do not say it. */
    private static Throwable last(Throwable failure) {
        return failure.getCause() == null ? failure : last(failure.getCause());
    }

    private static boolean isInvalid(Throwable failure) {
        return failure != null && (failure instanceof InvalidJwtException || isInvalid(failure.getCause()));
    }
}
