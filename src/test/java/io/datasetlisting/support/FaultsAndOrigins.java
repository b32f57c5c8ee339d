package io.datasetlisting.support;

import java.util.List;
import java.util.Map;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTestProfile;

/**
 * A test profile with a trusted proxy, a public base URL, allowed origins and a file storage with faults. Several tests
 * share one start of the application.
 */
public class FaultsAndOrigins implements QuarkusTestProfile {

    /** The allowed origin. */
    public static final String PAGE = "https://map.example.org";

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("dataset.storage.upload-timeout", "PT4S",
                "quarkus.http.proxy.proxy-address-forwarding", "true", "quarkus.http.proxy.trusted-proxies",
                "127.0.0.1",
                "quarkus.http.proxy.enable-forwarded-host", "true", "quarkus.http.cors.origins",
                PAGE + ", /https:\\/\\/[a-z]+\\.survey\\.example\\.org/", "dataset.public-base-url",
                "https://api.example.org/imagery/", "dataset.http.max-uri-length", "1024", "dataset.bulk.max-transfers",
                "1", "dataset.bulk.progress-interval", "PT0.1S", "dataset.rasters.folder", "{id}");
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(Faults.class));
    }

    public static class Faults implements QuarkusTestResourceLifecycleManager {

        private S3Server s3;
        private FaultyStorage storage;

        @Override
        public Map<String, String> start() {
            s3 = S3Server.start(S3Resource.ACCESS_KEY_ID, S3Resource.SECRET_ACCESS_KEY);
            s3.createBucket(S3Resource.BUCKET);
            storage = new FaultyStorage(s3.url());
            return Map.of("dataset.storage.url", s3.url(), "dataset.storage.endpoint", storage.url());
        }

        @Override
        public void inject(TestInjector injector) {
            injector.injectIntoFields(s3, new TestInjector.MatchesType(S3Server.class));
            injector.injectIntoFields(storage, new TestInjector.MatchesType(FaultyStorage.class));
        }

        @Override
        public void stop() {
            storage.close();
            s3.close();
        }
    }
}
