package io.datasetlisting.http.netty;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.ServerChannel;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * Closes the listening sockets at the end of {@code quarkus.shutdown.delay}, before running requests end. The platform stops its
 * event loops for connections first and the listening socket last. It then logs a stack trace for each connection that it accepts
 * in between, and cuts the connection. Netty finds this class as it finds {@link FramingExtension}.
 */
@RegisterForReflection(methods = false, fields = false, ignoreNested = true)
public class ListenerClosing extends ChannelInitializerExtension {

    /** The platform waits for the same delay in another thread, and the sockets must be closed before it goes on. */
    private static final Duration MARGIN = Duration.ofMillis(100);

    private static final Set<ServerChannel> LISTENERS = ConcurrentHashMap.newKeySet();

    /** Closes the sockets. Netty creates the extension, so nothing can be injected into it. */
    @Singleton
    static class Closer {

        void onDelayBegun(@Observes ShutdownDelayInitiatedEvent event,
                @ConfigProperty(name = "quarkus.shutdown.delay") Optional<Duration> delay) {
            long wait = delay.orElse(Duration.ZERO).minus(MARGIN).toMillis();
            LISTENERS.forEach(listener -> {
                if (wait > 0) {
                    listener.eventLoop().schedule(() -> listener.close(), wait, TimeUnit.MILLISECONDS);
                } else {
                    listener.close().awaitUninterruptibly();
                }
            });
        }
    }

    @Override
    public void postInitializeServerListenerChannel(ServerChannel listener) {
        LISTENERS.add(listener);
        listener.closeFuture().addListener(closed -> LISTENERS.remove(listener));
    }

    /** The name of the extension in Netty's log. */
    @Override
    public String toString() {
        return "closing of listening sockets";
    }
}
