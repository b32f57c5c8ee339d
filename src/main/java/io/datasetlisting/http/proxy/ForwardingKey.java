package io.datasetlisting.http.proxy;

import jakarta.annotation.Priority;

import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.Priorities;

/**
 * Gives the key of the platform that switches forwarded headers on to {@link ForwardedHeaders}. The platform itself would take
 * the left-most address, which every client can choose, and would not answer a request with a malformed one.
 */
@Priority(Priorities.LIBRARY + 1000)
public class ForwardingKey implements ConfigSourceInterceptor {

    /** The name under which the service reads the key. */
    static final String NAME = "dataset.http.address-forwarding";
    /** The name for operators, under which the platform reads it. */
    static final String PLATFORM_NAME = "quarkus.http.proxy.proxy-address-forwarding";

    private static final long serialVersionUID = 1L;

    @Override
    public ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
        if (name.equals(NAME)) {
            ConfigValue value = context.proceed(PLATFORM_NAME);
            return value == null ? null : value.withName(NAME);
        }
        ConfigValue value = context.proceed(name);
        return value != null && name.equals(PLATFORM_NAME) ? value.withValue("false") : value;
    }
}
