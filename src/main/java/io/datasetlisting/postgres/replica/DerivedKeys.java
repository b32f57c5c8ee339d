package io.datasetlisting.postgres.replica;

import java.util.stream.Stream;

import jakarta.annotation.Priority;

import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.Priorities;

/**
 * Derives the JDBC URL, which only the migrations use, from the reactive URL if it is not set, and the password from its file.
 */
@Priority(Priorities.LIBRARY + 1000)
public class DerivedKeys implements ConfigSourceInterceptor {

    private static final long serialVersionUID = 1L;

    private static final String JDBC_URL = "quarkus.datasource.jdbc.url";
    static final String REACTIVE_URL = "quarkus.datasource.reactive.url";
    private static final String SSL_MODE = "quarkus.datasource.reactive.postgresql.ssl-mode";
    private static final String PASSWORD = "quarkus.datasource.password";
    private static final String PASSWORD_FILE = "dataset.database.password-file";

    @Override
    public ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
        ConfigValue value = context.proceed(name);
        if (name.equals(PASSWORD)) {
            ConfigValue file = context.proceed(PASSWORD_FILE);
            return isSet(file) ? file.withName(name).withValue(PasswordFile.read(file.getValue()).orElse(null)) : value;
        }
        if (name.equals(REACTIVE_URL) && isSet(value)) {
            // The platform parses the address before any other check, and prints a stack trace.
            Stream.of(value.getValue().split(",")).forEach(url -> DatabaseAddress.parse(name, url));
        }
        if (value != null || !name.equals(JDBC_URL)) {
            return value;
        }
        ConfigValue reactive = context.proceed(REACTIVE_URL);
        return isSet(reactive)
                ? reactive.withName(name)
                        .withValue(DatabaseAddress.jdbc(reactive.getValue(), isSet(context.proceed(SSL_MODE))))
                : null;
    }

    private static boolean isSet(ConfigValue value) {
        return value != null && value.getValue() != null && !value.getValue().isEmpty();
    }
}
