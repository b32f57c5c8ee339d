package io.datasetlisting.access.account;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import jakarta.inject.Singleton;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.datasetlisting.base.ApiException;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Limits the requests per minute of each client. A client is an account, whatever its token, or without a token an address. An
 * address that has sent as many invalid tokens per minute may not send a token for a while, which stops the guessing of tokens.
 * Each instance counts separately.
 */
// Caffeine loads these implementation classes by name.
@RegisterForReflection(classNames = {"com.github.benmanes.caffeine.cache.SSMSA",
        "com.github.benmanes.caffeine.cache.PSAMS"})
@Singleton
public class RateLimit {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final long MAX_CLIENTS = 100_000;

    private final int perMinute;
    /** A bucket that is not used for a minute is full again, so it need not be kept. */
    private final Cache<Object, Bucket> buckets = Caffeine.newBuilder().expireAfterAccess(MINUTE)
            .maximumSize(MAX_CLIENTS).executor(Runnable::run).build();

    RateLimit(RateLimitConfig config) {
        perMinute = config.perMinute();
    }

    /** The key of the bucket of an account, which may make many tokens. */
    private record Account(long id) {
    }

    /** The key of the bucket that counts the invalid tokens of an address. */
    private record InvalidTokens(String address) {
    }

    /**
     * Handler that counts a request.
     *
     * @throws ApiException
     *             429 if the client has used all requests of its limit
     */
    public void count(RoutingContext context) {
        Caller caller = Caller.of(context);
        if (perMinute > 0) {
            ConsumptionProbe probe = bucket(client(caller, context)).tryConsumeAndReturnRemaining(1);
            if (!probe.isConsumed()) {
                throw tooMany(probe.getNanosToWaitForRefill());
            }
        }
        context.next();
    }

    private static Object client(Caller caller, RoutingContext context) {
        return caller.isAnonymous() ? address(context.request()) : new Account(caller.accountId());
    }

    /** What limits of one client count by: the account, or without a token the address. Equal for requests of one client. */
    public static Object client(RoutingContext context) {
        return client(Caller.of(context), context);
    }

    /**
     * Checks a request with a token, before the token is looked up.
     *
     * @throws ApiException
     *             429 if the address has sent too many invalid tokens
     */
    public void checkInvalidTokens(HttpServerRequest request) {
        if (perMinute > 0) {
            long nanosToWait = bucket(new InvalidTokens(address(request))).estimateAbilityToConsume(1)
                    .getNanosToWaitForRefill();
            if (nanosToWait > 0) {
                throw tooMany(nanosToWait);
            }
        }
    }

    /** Counts an invalid token. */
    public void countInvalidToken(HttpServerRequest request) {
        if (perMinute > 0) {
            bucket(new InvalidTokens(address(request))).tryConsume(1);
        }
    }

    private static ApiException tooMany(long nanosToWait) {
        return ApiException.tooMany(Math.toIntExact(TimeUnit.NANOSECONDS.toSeconds(nanosToWait) + 1));
    }

    private Bucket bucket(Object client) {
        return buckets.get(client, newClient -> Bucket.builder()
                .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, MINUTE)).build());
    }

    /** The client's address; of an IPv6 address the /64 network, because a client can use all addresses of its network. */
    private static String address(HttpServerRequest request) {
        String address = request.remoteAddress().hostAddress();
        if (address == null) {
            // The address that a trusted proxy has forwarded.
            address = request.remoteAddress().host();
        }
        String[] groups = address.split(":");
        return groups.length < 5 ? address : String.join(":", groups[0], groups[1], groups[2], groups[3]);
    }
}
