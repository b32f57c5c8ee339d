package io.datasetlisting.database;

import jakarta.annotation.Priority;

import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.Priorities;

/** Derives the JDBC URL, which only the migrations use, from the reactive URL if it is not set. */
@Priority(Priorities.LIBRARY + 1000)
public class JdbcUrl implements ConfigSourceInterceptor {

    private static final long serialVersionUID = 1L;

    private static final String JDBC_URL = "quarkus.datasource.jdbc.url";
    private static final String REACTIVE_URL = "quarkus.datasource.reactive.url";

    @Override
    public ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
        ConfigValue value = context.proceed(name);
        if (value != null || !name.equals(JDBC_URL)) {
            return value;
        }
        ConfigValue reactive = context.proceed(REACTIVE_URL);
        return reactive == null || reactive.getValue() == null
                ? null
                : reactive.withName(JDBC_URL).withValue(fromReactive(reactive.getValue()));
    }

    /** The first of several addresses, without the optional prefix {@code vertx-reactive:}. */
    static String fromReactive(String reactiveUrl) {
        String first = reactiveUrl.split(",")[0].strip();
        return "jdbc:" + (first.startsWith("vertx-reactive:") ? first.substring("vertx-reactive:".length()) : first);
    }
}
