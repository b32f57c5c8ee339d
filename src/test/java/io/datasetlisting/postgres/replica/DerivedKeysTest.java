package io.datasetlisting.postgres.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Tests that {@link DerivedKeys} derives the JDBC URL from the reactive URL, and the password from its file. */
class DerivedKeysTest {

    private static final String JDBC_URL = "quarkus.datasource.jdbc.url";
    private static final String REACTIVE_URL = "quarkus.datasource.reactive.url";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            postgresql://db.example:5432/datasets                     | jdbc:postgresql://db.example:5432/datasets?sslmode=disable
            postgresql://db/datasets?sslmode=verify-full              | jdbc:postgresql://db/datasets?sslmode=verify-full
            postgresql://db/datasets?sslrootcert=/ca.pem   | jdbc:postgresql://db/datasets?sslrootcert=/ca.pem&sslmode=disable
            vertx-reactive:postgresql://db/datasets                   | jdbc:postgresql://db/datasets?sslmode=disable
            vertx-reactive:postgresql://a/d,vertx-reactive:postgresql://b/d | jdbc:postgresql://a/d?sslmode=disable
            postgresql://a/d , postgresql://b/d                       | jdbc:postgresql://a/d?sslmode=disable
            postgresql://a/d?sslmode=require&sslrootcert=/ca.pem | jdbc:postgresql://a/d?sslmode=verify-ca&sslrootcert=/ca.pem
            postgresql://a/d?sslmode=verify-ca&sslrootcert=/ca.pem | jdbc:postgresql://a/d?sslmode=verify-ca&sslrootcert=/ca.pem
            """)
    void theJdbcUrlIsDerivedFromTheReactiveUrl(String reactive, String jdbc) {
        assertEquals(jdbc, jdbcUrl(Map.of(REACTIVE_URL, reactive)));
    }

    @Test
    void aKeyOfThePlatformMayHaveTheSslmode() {
        assertEquals("jdbc:postgresql://a/d", jdbcUrl(Map.of(REACTIVE_URL, "postgresql://a/d",
                "quarkus.datasource.reactive.postgresql.ssl-mode", "require")));
    }

    @Test
    void aConfiguredJdbcUrlIsKept() {
        assertEquals("jdbc:postgresql://migrations/d",
                jdbcUrl(Map.of(REACTIVE_URL, "postgresql://pages/d", JDBC_URL, "jdbc:postgresql://migrations/d")));
    }

    @Test
    void withoutAUrlThereIsNoJdbcUrl() {
        assertNull(jdbcUrl(Map.of()));
    }

    @Test
    void otherKeysAreUnchanged() {
        SmallRyeConfig config = config(Map.of(REACTIVE_URL, "vertx-reactive:postgresql://db/d"));

        assertEquals("vertx-reactive:postgresql://db/d", config.getConfigValue(REACTIVE_URL).getValue());
        assertNull(config.getConfigValue("quarkus.datasource.other.jdbc.url").getValue());
    }

    /** The password of the file is read at the start, too: the migrations use it. */
    @Test
    void theFileOfThePasswordReplacesThePassword(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("password"), "from the file\n");
        Map<String, String> keys = Map.of("quarkus.datasource.password", "of the key", "dataset.database.password-file",
                file.toString());
        assertEquals("from the file", config(keys).getConfigValue("quarkus.datasource.password").getValue());
        assertEquals("of the key", config(Map.of("quarkus.datasource.password", "of the key"))
                .getConfigValue("quarkus.datasource.password").getValue());
        Files.delete(file);
        assertNull(config(keys).getConfigValue("quarkus.datasource.password").getValue());
    }

    @Test
    void aWrongAddressIsRefusedBeforeThePlatformReadsIt() {
        ConfigurationException e = assertThrows(ConfigurationException.class,
                () -> config(Map.of(REACTIVE_URL, "postgresql://a/d,jdbc:postgresql://b/d"))
                        .getConfigValue(REACTIVE_URL));
        assertTrue(e.getMessage().startsWith(REACTIVE_URL), e.getMessage());
    }

    private static String jdbcUrl(Map<String, String> properties) {
        return config(properties).getConfigValue(JDBC_URL).getValue();
    }

    private static SmallRyeConfig config(Map<String, String> properties) {
        return new SmallRyeConfigBuilder().withDefaultValues(properties).withInterceptors(new DerivedKeys()).build();
    }
}
