package io.datasetlisting.identity;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.lang.UnresolvableKeyException;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.LimitedLog;
import io.datasetlisting.base.Sha256;
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

    private static final LimitedLog LOG = new LimitedLog(Logger.getLogger(BearerTokens.class));

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
    private final Cache<ByteBuffer, Claims> verified;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    /** Whether the keys have been read once. From then on the platform limits how often it asks the provider. */
    private volatile boolean keysKnown;
    /** Until this time, as {@link System#nanoTime} gives it, a provider whose keys are not known is not asked again. */
    private volatile long awayUntil = System.nanoTime();

    BearerTokens(OidcConfig config, IdentityProviderManager platform, Clock clock) {
        this.config = config;
        this.platform = platform;
        this.clock = clock;
        verified = Caffeine.newBuilder().maximumSize(MAX_TOKENS).executor(Runnable::run)
                .expireAfter(Expiry.<ByteBuffer, Claims>creating((hash, claims) -> Duration
                        .between(clock.instant(), claims.expires()).plus(config.leeway())))
                .build();
    }

    /**
     * The claims of a token. Fails with 401 for an invalid token, and with 503 if the provider is needed and does not answer.
     *
     * @throws ApiException
     *             401 for a token that is invalid whatever its signature says
     */
    Uni<Claims> verify(String token, RoutingContext context) {
        ByteBuffer hash = ByteBuffer.wrap(Sha256.of(token));
        Claims known = verified.getIfPresent(hash);
        Claims claims = known == null ? Claims.read(token, config) : known;
        claims.checkTime(clock.instant(), config.leeway());
        if (known != null) {
            return Uni.createFrom().item(known);
        }
        return verifyNow(token, context)
                .onFailure(BearerTokens::isOfUnknownKey).recoverWithUni(() -> verifyLater(token, context))
                .onFailure(e -> !(e instanceof ApiException)).transform(this::refusal)
                .invoke(() -> verified.put(hash, claims)).replaceWith(claims);
    }

    private Uni<Void> verifyNow(String token, RoutingContext context) {
        if (!keysKnown && System.nanoTime() - awayUntil < 0) {
            return Uni.createFrom().failure(new ApiException(503, AWAY));
        }
        return limited(running, MAX_RUNNING, Uni.createFrom().deferred(() -> {
            TokenAuthenticationRequest request = new TokenAuthenticationRequest(new AccessTokenCredential(token));
            HttpSecurityUtils.setRoutingContextAttribute(request, context);
            return platform.authenticate(request);
        }).ifNoItem().after(MAX_TIME).fail().invoke(() -> keysKnown = true).replaceWithVoid());
    }

    /** A token with a new key: the provider uses keys before the service knows them. */
    private Uni<Void> verifyLater(String token, RoutingContext context) {
        keysKnown = true;
        return limited(waiting, MAX_WAITING, Uni.createFrom().voidItem().onItem().delayIt().by(NEXT_READING))
                .chain(() -> verifyNow(token, context));
    }

    private static <T> Uni<T> limited(AtomicInteger count, int max, Uni<T> work) {
        return Uni.createFrom().deferred(() -> {
            if (count.incrementAndGet() > max) {
                count.decrementAndGet();
                return Uni.createFrom().failure(new ApiException(503,
                        "Too many new tokens are verified at the same time, try again later."));
            }
            return work.onTermination().invoke(count::decrementAndGet);
        });
    }

    private static boolean isOfUnknownKey(Throwable failure) {
        return cause(failure, UnresolvableKeyException.class) != null;
    }

    private ApiException refusal(Throwable failure) {
        boolean isUndecided = failure.getCause() != null || !(failure instanceof AuthenticationFailedException);
        if (!isUndecided || cause(failure, InvalidJwtException.class) != null) {
            return ApiException.invalidBearer("The signature of the Bearer token is wrong, or a claim is missing.");
        }
        awayUntil = System.nanoTime() + OidcTenant.KEYS_INTERVAL.toNanos();
        LOG.warn("keys", "The keys of " + config.issuer().orElse(null) + " cannot be read: " + last(failure));
        return new ApiException(503, AWAY);
    }

    /** The platform wraps the reason in failures that do not say it. */
    private static Throwable last(Throwable failure) {
        return failure.getCause() == null ? failure : last(failure.getCause());
    }

    private static <T extends Throwable> T cause(Throwable failure, Class<T> type) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return type.cast(each);
            }
        }
        return null;
    }
}
