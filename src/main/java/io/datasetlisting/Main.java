package io.datasetlisting;

import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.runtime.PreventFurtherStepsException;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusBindException;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.util.ExceptionUtil;
import io.smallrye.config.ConfigValidationException;

/** Starts the service. With the argument {@code health} it runs {@link HealthCheck} instead. */
@QuarkusMain
public class Main {

    /** The pom sets the same key for dev mode and the tests, and application.properties sets it for the native image. */
    private static final String NO_URI_VALIDATION = "vertx.disableURIValidation";

    /** Makes Netty load the extensions in its service file, {@link io.datasetlisting.http.netty.FramingExtension} for example. */
    private static final String NETTY_EXTENSIONS = ChannelInitializerExtension.EXTENSIONS_SYSTEM_PROPERTY;

    /** Tell what they do before the log has its format and its levels, and a wrong setting would leave it there. */
    private static final List<Logger> BEFORE_LOGGING = Stream.of("org.hibernate.orm.core",
            "org.hibernate.orm.connections.pooling").map(Logger::getLogger).toList();

    /**
     * Switches the platform's validation of addresses off. Browsers do not encode <code>{}|^`</code> in a query, and users
     * mistype percent escapes. The platform would answer both with an empty 400 before any code of the service runs.
     * {@link io.datasetlisting.http.input.QueryString} accepts every text, as Django does.
     */
    public static void main(String... args) {
        if (args.length == 1 && args[0].equals(HealthCheck.COMMAND)) {
            System.exit(HealthCheck.run());
        }
        System.setProperty(NO_URI_VALIDATION, "true");
        if (System.getProperty(NETTY_EXTENSIONS) == null) {
            System.setProperty(NETTY_EXTENSIONS, "serviceload");
        }
        BEFORE_LOGGING.forEach(logger -> logger.setLevel(Level.WARNING));
        Quarkus.run(null, Main::exit, args);
    }

    private static void exit(int code, Throwable failure) {
        if (failure != null) {
            reasons(failure).ifPresentOrElse(reasons -> reasons.forEach(System.err::println),
                    () -> Logger.getLogger(Main.class.getName()).log(Level.SEVERE, "Failed to start", failure));
        }
        ApplicationLifecycleManager.getDefaultExitCodeHandler().accept(code, failure);
    }

    /** One line for each setting that prevents the start, and for an address in use; empty if the failure has another cause. */
    static Optional<List<String>> reasons(Throwable failure) {
        Throwable cause = ExceptionUtil.getRootCause(failure);
        if (cause instanceof ConfigValidationException invalid) {
            return Optional.of(IntStream.range(0, invalid.getProblemCount())
                    .mapToObj(i -> reason(invalid.getProblem(i).getMessage())).distinct().toList());
        }
        if (cause instanceof QuarkusBindException bind) {
            return Optional.of(List.of("The service cannot listen on " + bind.getHost() + " port " + bind.getPort()
                    + ": is another program there?"));
        }
        return cause instanceof ConfigurationException || cause instanceof PreventFurtherStepsException
                ? Optional.of(List.of(reason(cause.getMessage())))
                : Optional.empty();
    }

    /** The platform's text without the names and the numbers of its exceptions, and without the value. */
    private static String reason(String message) {
        return message.strip().replaceAll("\\s+", " ").replaceFirst("^[a-z.]+\\.[A-Za-z]+Exception: ", "")
                .replaceFirst("^SRCFG\\d+: The config property (\\S+) with the config value \".*\" threw an Exception"
                        + " whilst being converted (?:SRCFG\\d+: )?", "$1: ")
                .replaceFirst("^SRCFG\\d+: ", "");
    }
}
