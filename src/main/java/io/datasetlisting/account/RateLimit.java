package io.datasetlisting.account;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.datasetlisting.http.ApiException;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * How many requests a minute one client may send: whoever has a token by the token, others by their address. Each instance
 * counts for itself.
 */
// Caffeine finds what it is made of by name.
@RegisterForReflection(classNames = {"com.github.benmanes.caffeine.cache.SSMSA",
        "com.github.benmanes.caffeine.cache.PSAMS"})
@Singleton
class RateLimit {

    /** Behind authentication, before all that costs anything. */
    private static final int ORDER = -8;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** Those that have been away for a minute have all of their requests again. */
    private static final long MOST_CLIENTS = 100_000;

    private final int perMinute;
    private final Cache<Object, Bucket> buckets = Caffeine.newBuilder().expireAfterAccess(MINUTE)
            .maximumSize(MOST_CLIENTS).executor(Runnable::run).build();

    RateLimit(RateLimitConfig config) {
        perMinute = config.perMinute();
    }

    void register(@Observes Router router) {
        if (perMinute > 0) {
            router.route("/api/*").order(ORDER).handler(this::count);
        }
    }

    private void count(RoutingContext context) {
        Bucket bucket = buckets.get(client(context), first -> newBucket());
        ConsumptionProbe request = bucket.tryConsumeAndReturnRemaining(1);
        if (request.isConsumed()) {
            context.next();
        } else {
            context.request().resume();
            context.fail(ApiException.tooMany(
                    Math.toIntExact(TimeUnit.NANOSECONDS.toSeconds(request.getNanosToWaitForRefill()) + 1)));
        }
    }

    private Bucket newBucket() {
        return Bucket.builder().addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, MINUTE)).build();
    }

    private static Object client(RoutingContext context) {
        Caller caller = Caller.of(context);
        return caller.isAnonymous() ? address(context.request()) : caller.tokenId();
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
