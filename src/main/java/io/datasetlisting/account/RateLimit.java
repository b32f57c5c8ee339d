package io.datasetlisting.account;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import jakarta.inject.Singleton;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.datasetlisting.http.ApiException;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * How many requests a minute one client may send: a client with a token by the token, others by their address. An address
 * that has sent so many invalid tokens may send no token for a while, so that nobody can go on guessing. Each instance counts
 * for itself.
 */
// Caffeine finds what it is made of by name.
@RegisterForReflection(classNames = {"com.github.benmanes.caffeine.cache.SSMSA",
        "com.github.benmanes.caffeine.cache.PSAMS"})
@Singleton
public class RateLimit {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** A client that has been away for a minute has all of its requests again. */
    private static final long MOST_CLIENTS = 100_000;

    private final int perMinute;
    private final Cache<Object, Bucket> buckets = Caffeine.newBuilder().expireAfterAccess(MINUTE)
            .maximumSize(MOST_CLIENTS).executor(Runnable::run).build();

    RateLimit(RateLimitConfig config) {
        perMinute = config.perMinute();
    }

    /** The invalid tokens of an address. */
    private record Guesses(String address) {
    }

    /** Counts a request. Fails with 429 for a client that has used up its requests. */
    public void count(RoutingContext context) {
        HttpServerRequest request = context.request();
        Caller caller = Caller.of(context);
        if (perMinute > 0) {
            ConsumptionProbe counted = bucket(caller.isAnonymous() ? address(request) : caller.tokenId())
                    .tryConsumeAndReturnRemaining(1);
            if (!counted.isConsumed()) {
                throw tooMany(counted.getNanosToWaitForRefill());
            }
        }
        context.next();
    }

    /**
     * To be called before a token is looked up.
     *
     * @throws ApiException
     *             429 for an address that has sent too many invalid tokens
     */
    void checkGuesses(HttpServerRequest request) {
        if (perMinute > 0) {
            long wait = bucket(new Guesses(address(request))).estimateAbilityToConsume(1).getNanosToWaitForRefill();
            if (wait > 0) {
                throw tooMany(wait);
            }
        }
    }

    /** Counts an invalid token. */
    void countGuess(HttpServerRequest request) {
        if (perMinute > 0) {
            bucket(new Guesses(address(request))).tryConsume(1);
        }
    }

    private static ApiException tooMany(long nanosToWait) {
        return ApiException.tooMany(Math.toIntExact(TimeUnit.NANOSECONDS.toSeconds(nanosToWait) + 1));
    }

    private Bucket bucket(Object client) {
        return buckets.get(client, first -> Bucket.builder()
                .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, MINUTE)).build());
    }

    /** Of an IPv6 address the network: a client has all of the addresses in it. */
    private static String address(HttpServerRequest request) {
        String address = request.remoteAddress().hostAddress();
        if (address == null) {
            // What a trusted proxy says.
            address = request.remoteAddress().host();
        }
        String[] groups = address.split(":");
        return groups.length < 5 ? address : String.join(":", groups[0], groups[1], groups[2], groups[3]);
    }
}
