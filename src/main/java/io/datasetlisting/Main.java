package io.datasetlisting;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Starts the service, or with the word {@code health} asks the one that runs whether it is ready. */
@QuarkusMain
public class Main {

    /** The same key stands in the pom for the tests and in application.properties for the native image. */
    private static final String NO_URI_VALIDATION = "vertx.disableURIValidation";

    /** Has Netty look for {@link io.datasetlisting.http.FramingExtension}. */
    private static final String EXTENSIONS = ChannelInitializerExtension.EXTENSIONS_SYSTEM_PROPERTY;

    /**
     * Browsers leave <code>{}|^`</code> bare in a query and people mistype percent escapes. The platform would answer
     * both with an empty 400 before any of our code runs; here the query is read the way Django reads it, by
     * {@link io.datasetlisting.input.QueryString}, which accepts every text.
     */
    public static void main(String... args) {
        if (args.length == 1 && args[0].equals(HealthCheck.NAME)) {
            System.exit(HealthCheck.run());
        }
        System.setProperty(NO_URI_VALIDATION, "true");
        if (System.getProperty(EXTENSIONS) == null) {
            System.setProperty(EXTENSIONS, "serviceload");
        }
        Quarkus.run(args);
    }
}
