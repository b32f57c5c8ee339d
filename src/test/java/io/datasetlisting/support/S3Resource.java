package io.datasetlisting.support;

import java.util.Map;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/**
 * Starts an S3 server for the service. A test gets the server from a field of the type {@link S3Server}, or from this
 * class.
 */
public class S3Resource implements QuarkusTestResourceLifecycleManager {

    /** The key pair and the bucket of the service. */
    public static final String ACCESS_KEY_ID = "development";
    public static final String SECRET_ACCESS_KEY = "development";
    public static final String BUCKET = "datasets";

    private static S3Server server;

    public static S3Server server() {
        return server;
    }

    @Override
    public Map<String, String> start() {
        server = S3Server.start(ACCESS_KEY_ID, SECRET_ACCESS_KEY);
        server.createBucket(BUCKET);
        return Map.of("dataset.storage.url", server.url(), "dataset.storage.endpoint", server.url());
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(server, new TestInjector.MatchesType(S3Server.class));
    }

    @Override
    public void stop() {
        server.close();
    }
}
