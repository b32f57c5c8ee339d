package io.datasetlisting.base;

import java.nio.file.Path;
import java.util.Optional;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;

/** Places of temporary files for tests without a running service. */
public final class Spools {

    private Spools() {
    }

    /**
     * @param folder
     *            null to switch temporary files off
     * @param size
     *            in the form of the configuration
     */
    public static Spool of(Path folder, String size, MeterRegistry meters) {
        return new Spool(new SpoolConfig() {

            @Override
            public Optional<String> spool() {
                return Optional.ofNullable(folder).map(Path::toString);
            }

            @Override
            public MemorySize spoolSize() {
                return new MemorySizeConverter().convert(size);
            }
        }, meters);
    }
}
