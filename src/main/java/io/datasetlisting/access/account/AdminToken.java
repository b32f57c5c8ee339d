package io.datasetlisting.access.account;

import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.jboss.logging.Logger;

import io.datasetlisting.base.Sha256;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.vertx.VertxContextSupport;

/** Stores the configured admin token in the database, before the service accepts the first request. */
@Singleton
class AdminToken {

    private static final Logger LOG = Logger.getLogger(AdminToken.class);

    private final TokenConfig config;
    private final AdminTokenRepository tokens;

    AdminToken(TokenConfig config, AdminTokenRepository tokens) {
        this.config = config;
        this.tokens = tokens;
    }

    void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        config.adminToken().ifPresent(this::configure);
    }

    private void configure(String key) {
        boolean valid;
        String username = Username.normalize(config.adminUsername());
        try {
            valid = VertxContextSupport
                    .subscribeAndAwait(() -> tokens.configure(username, Sha256.of(key)));
        } catch (Throwable e) {
            throw new ConfigurationException(
                    "dataset.admin-token: the account " + username + " could not be set up: "
                            + e.getMessage());
        }
        if (!valid) {
            LOG.warn("dataset.admin-token has been revoked and is not valid: set another key");
        } else if (LaunchMode.current() == LaunchMode.DEVELOPMENT) {
            LOG.infof("Admin token of dev mode: curl -H 'Authorization: Token %s' ...", key);
        }
    }
}
