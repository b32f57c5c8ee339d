package io.datasetlisting.access.identity;

import java.time.Duration;

import jakarta.inject.Singleton;

import io.quarkus.oidc.OidcRequestContext;
import io.quarkus.oidc.OidcTenantConfig;
import io.quarkus.oidc.TenantConfigResolver;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * The settings with which the platform reads the keys of the provider and verifies a token. The platform asks the provider when
 * the first token arrives: the start of the service does not need the provider.
 */
@Singleton
class OidcTenant implements TenantConfigResolver {

    /** The name of these settings at the platform. */
    static final String ID = "dataset";

    /**
     * Time after which a key that is not known makes the platform read the provider's keys again. Tokens with made-up keys cannot
     * make it read them more often.
     */
    static final Duration KEYS_INTERVAL = Duration.ofSeconds(1);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

    private final Uni<OidcTenantConfig> settings;

    OidcTenant(OidcConfig config) {
        settings = Uni.createFrom()
                .item(config.issuer().map(issuer -> settings(issuer.toString(), config)).orElse(null));
    }

    private static OidcTenantConfig settings(String issuer, OidcConfig config) {
        return OidcTenantConfig.authServerUrl(issuer).tenantId(ID).connectionTimeout(CONNECT_TIMEOUT)
                .connectionRetryCount(1)
                .token().issuer(issuer).audience(config.audiences()).subjectRequired()
                .lifespanGrace((int) config.leeway().toSeconds()).forcedJwkRefreshInterval(KEYS_INTERVAL)
                .allowJwtIntrospection(false).allowOpaqueTokenIntrospection(false).end()
                .build();
    }

    @Override
    public Uni<OidcTenantConfig> resolve(RoutingContext context, OidcRequestContext<OidcTenantConfig> request) {
        return settings;
    }
}
