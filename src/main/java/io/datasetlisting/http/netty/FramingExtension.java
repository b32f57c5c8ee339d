package io.datasetlisting.http.netty;

import jakarta.inject.Singleton;

import io.datasetlisting.http.HttpConfig;
import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;

/**
 * Adds {@link StrictRequestDecoder} to every accepted connection, because Netty repairs a malformed head before a
 * request handler could see it. Netty finds this class by its service file when the system property
 * {@link #EXTENSIONS_SYSTEM_PROPERTY} says so, which {@link io.datasetlisting.Main} sets. It is active
 * only in the package: in dev mode and in {@code @QuarkusTest}, Netty's class loader does not see the classes of the application.
 */
@RegisterForReflection(methods = false, fields = false, ignoreNested = true)
public class FramingExtension extends ChannelInitializerExtension {

    private static volatile HttpServerOptions options;
    private static volatile UpgradeHeaders upgrades;

    /**
     * Passes the options of the HTTP server on to the extension. Netty creates the extension, so nothing can be injected into it.
     */
    @Singleton
    static class OptionsObserver implements HttpServerOptionsCustomizer {

        OptionsObserver(HttpConfig config) {
            upgrades = new UpgradeHeaders(config.http().h2cUpgrade());
        }

        @Override
        public void customizeHttpServer(HttpServerOptions server) {
            options = new HttpServerOptions(server);
        }

        @Override
        public void customizeHttpsServer(HttpServerOptions server) {
            customizeHttpServer(server);
        }

        @Override
        public void customizeDomainSocketServer(HttpServerOptions server) {
            customizeHttpServer(server);
        }
    }

    @Override
    public void postInitializeServerChildChannel(Channel channel) {
        HttpServerOptions current = options;
        if (current != null) {
            channel.pipeline().addFirst(new DecoderInstaller(current, upgrades));
        }
    }

    /** The name of the extension in Netty's log. */
    @Override
    public String toString() {
        return "strict request framing";
    }
}
