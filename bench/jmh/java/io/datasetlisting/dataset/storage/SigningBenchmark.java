package io.datasetlisting.dataset.storage;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Measures the cost of the thumbnail links of the largest page: a signer and a hundred links. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class SigningBenchmark {

    private static final int PAGE_SIZE = 100;

    @Param({"2", "4"})
    public String signatureVersion;

    private final String[] keys = new String[PAGE_SIZE];
    private final byte[][] texts = new byte[PAGE_SIZE][];
    private ThumbnailLinks links;

    @Setup
    public void makePage() {
        StorageConfig config = new SmallRyeConfigBuilder().withMapping(StorageConfig.class)
                .withDefaultValue("dataset.storage.url", "https://storage.example.org")
                .withConverter(MemorySize.class, 100, new MemorySizeConverter())
                .withDefaultValue("dataset.storage.signature-version", signatureVersion)
                .withDefaultValue("dataset.storage.access-key-id", "AKIAIOSFODNN7EXAMPLE")
                .withDefaultValue("dataset.storage.secret-access-key", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
                .build().getConfigMapping(StorageConfig.class);
        Clock clock = Clock.systemUTC();
        links = new ThumbnailLinks(config, new StorageCredentials(config, clock, null, new SimpleMeterRegistry()),
                clock);
        Random random = new Random(1);
        ThumbnailLinks.Signer signer = links.signer();
        for (int i = 0; i < PAGE_SIZE; i++) {
            UUID uid = new UUID(random.nextLong(), random.nextLong());
            keys[i] = "generated/" + (1 + random.nextInt(1_000_000)) + '-' + uid + "/thumbnail.jpg";
            texts[i] = signer.link(keys[i]).getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    @Benchmark
    public void page(Blackhole blackhole) {
        ThumbnailLinks.Signer signer = links.signer();
        for (String key : keys) {
            blackhole.consume(signer.link(key));
        }
    }

    /** The limit: copies of the same links. A page allocates at least this much, because the copies are its result. */
    @Benchmark
    public void copy(Blackhole blackhole) {
        for (byte[] text : texts) {
            blackhole.consume(new String(text, StandardCharsets.ISO_8859_1));
        }
    }
}
