package io.datasetlisting;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Starts the service. With the argument {@code health} it runs {@link HealthCheck} instead. */
@QuarkusMain
public class Main {

    /** The pom sets the same key for dev mode and the tests, and application.properties sets it for the native image. */
    private static final String NO_URI_VALIDATION = "vertx.disableURIValidation";

    /** Makes Netty load the extensions in its service file, {@link io.datasetlisting.netty.FramingExtension} for example. */
    private static final String NETTY_EXTENSIONS = ChannelInitializerExtension.EXTENSIONS_SYSTEM_PROPERTY;

    /**
     * Switches the platform's validation of addresses off. Browsers do not encode <code>{}|^`</code> in a query, and users
     * mistype percent escapes. The platform would answer both with an empty 400 before any code of the service runs.
     * {@link io.datasetlisting.input.QueryString} accepts every text, as Django does.
     */
    public static void main(String... args) {
        if (args.length == 1 && args[0].equals(HealthCheck.COMMAND)) {
            System.exit(HealthCheck.run());
        }
        System.setProperty(NO_URI_VALIDATION, "true");
        if (System.getProperty(NETTY_EXTENSIONS) == null) {
            System.setProperty(NETTY_EXTENSIONS, "serviceload");
        }
        Quarkus.run(args);
    }
}
