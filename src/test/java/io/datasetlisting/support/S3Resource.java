package io.datasetlisting.support;

import java.util.Map;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/** An S3 server beside the service; a test gets at it by a field of the type {@link S3Server}, or here. */
public class S3Resource implements QuarkusTestResourceLifecycleManager {

    /** What the service signs with, and its bucket. */
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
