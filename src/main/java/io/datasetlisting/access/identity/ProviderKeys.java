package io.datasetlisting.access.identity;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;
import org.jose4j.lang.UnresolvableKeyException;

import io.datasetlisting.base.LimitedLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.oidc.common.OidcEndpoint;
import io.quarkus.oidc.common.OidcResponseFilter;
import io.quarkus.oidc.runtime.TenantConfigBean;
import io.quarkus.oidc.runtime.TenantConfigContext;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;

/**
 * The keys that the provider publishes. The platform reads them when it needs an unknown key, and here again and again, so that a
 * key that the provider withdraws is not trusted any longer.
 */
@OidcEndpoint(OidcEndpoint.Type.JWKS)
@Singleton
class ProviderKeys implements OidcResponseFilter {

    private static final LimitedLog LOG = new LimitedLog(Logger.getLogger(ProviderKeys.class));

    /** Time until the next reading after one that has failed. */
    private static final Duration RETRY = Duration.ofSeconds(10);
    private static final Duration MAX_TIME = Duration.ofSeconds(6);
    /** The name of the whole set, for tokens that name no key. No key has an empty name. */
    private static final String ALL = "";

    private final OidcConfig config;
    private final TenantConfigBean tenants;
    private final Vertx vertx;
    private final Counter failures;
    private volatile Read last;
    private volatile boolean isStopped;

    ProviderKeys(OidcConfig config, TenantConfigBean tenants, Vertx vertx, MeterRegistry meters) {
        this.config = config;
        this.tenants = tenants;
        this.vertx = vertx;
        failures = Counter.builder("dataset.oidc.keys.failures")
                .description("Attempts to read the keys of the provider that failed").register(meters);
        if (config.issuer().isPresent()) {
            meters.gauge("dataset.oidc.keys.age.seconds", this, ProviderKeys::ageSeconds);
        }
    }

    /** The time since the keys were read; 0 until a token needs them. */
    private double ageSeconds() {
        Read read = last;
        return read == null ? 0 : (System.nanoTime() - read.nanos) / 1e9;
    }

    /** Counts and logs an attempt to read the keys that has failed. */
    void failed(String problem) {
        failures.increment();
        LOG.warn("keys", "The keys of " + config.issuer().orElse(null) + ' ' + problem);
    }

    /**
     * @param keys
     *            the JSON of each key by its name ({@code kid}), and of all keys by {@link #ALL}
     * @param nanos
     *            as {@link System#nanoTime} gives it
     */
    private record Read(Map<String, String> keys, long nanos) {
    }

    /** The platform calls this with each response of the provider that should have keys, before it uses them. */
    @Override
    public Uni<Void> filter(OidcResponseFilterContext response) {
        if (response.statusCode() == 200 && response.responseBody() != null) {
            keep(response.responseBody().toString());
        }
        return Uni.createFrom().voidItem();
    }

    private void keep(String all) {
        try {
            Map<String, String> keys = new HashMap<>();
            keys.put(ALL, all);
            new JsonObject(all).getJsonArray("keys").stream().filter(JsonObject.class::isInstance)
                    .map(JsonObject.class::cast).filter(key -> key.getValue("kid") instanceof String)
                    .forEach(key -> keys.put(key.getString("kid"), key.encode()));
            last = new Read(keys, System.nanoTime());
        } catch (DecodeException | ClassCastException | NullPointerException e) {
            failed("are not a JSON Web Key Set.");
        }
    }

    /**
     * The key with a name as the provider has published it last; null if it does not publish this key.
     *
     * @param kid
     *            null for a token that names no key
     */
    String key(String kid) {
        Read read = last;
        return read == null ? null : read.keys.get(kid == null ? ALL : kid);
    }

    /** Whether the keys have been read, and not so long ago that they are not trusted any more. */
    boolean areKnown() {
        Read read = last;
        return read != null && System.nanoTime() - read.nanos < config.keysKept().toNanos();
    }

    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        if (config.issuer().isPresent()) {
            readAfter(config.keysMaxAge());
        }
    }

    void onStop(@Observes ShutdownEvent event) {
        isStopped = true;
    }

    private void readAfter(Duration time) {
        if (isStopped) {
            return;
        }
        vertx.setTimer(Math.max(1, time.toMillis()), timer -> {
            long start = System.nanoTime();
            Uni.createFrom().deferred(this::readAgain).ifNoItem().after(MAX_TIME).fail().subscribe().with(
                    done -> readAfter(config.keysMaxAge()),
                    e -> {
                        boolean isRead = last != null && last.nanos - start >= 0;
                        if (!isRead && !isOfUnknownKey(e)) {
                            failed("cannot be read again: " + e.getMessage());
                        }
                        readAfter(isRead || config.keysMaxAge().compareTo(RETRY) < 0 ? config.keysMaxAge() : RETRY);
                    });
        });
    }

    /** The platform reads the keys for a token whose key it does not know. This token has no other purpose. */
    private Uni<Object> readAgain() {
        TenantConfigContext tenant = tenants.getDynamicTenant(OidcTenant.ID);
        return tenant == null || !tenant.ready()
                ? Uni.createFrom().nullItem()
                : tenant.provider().refreshJwksAndVerifyJwtToken(tokenOfUnknownKey(), false, false, null)
                        .map(token -> token);
    }

    private static String tokenOfUnknownKey() {
        return base64("{\"alg\":\"RS256\",\"kid\":\"" + UUID.randomUUID() + "\"}") + '.' + base64("{}") + '.'
                + base64("-");
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether a token is refused because the platform does not know its key. */
    static boolean isOfUnknownKey(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof UnresolvableKeyException) {
                return true;
            }
        }
        return false;
    }
}
