package io.datasetlisting.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Tests that {@link JdbcUrl} derives the JDBC URL from the reactive URL. */
class JdbcUrlTest {

    private static final String JDBC_URL = "quarkus.datasource.jdbc.url";
    private static final String REACTIVE_URL = "quarkus.datasource.reactive.url";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            postgresql://db.example:5432/datasets                     | jdbc:postgresql://db.example:5432/datasets
            postgresql://db/datasets?sslmode=verify-full              | jdbc:postgresql://db/datasets?sslmode=verify-full
            vertx-reactive:postgresql://db/datasets                   | jdbc:postgresql://db/datasets
            vertx-reactive:postgresql://a/d,vertx-reactive:postgresql://b/d | jdbc:postgresql://a/d
            postgresql://a/d , postgresql://b/d                       | jdbc:postgresql://a/d
            """)
    void theJdbcUrlIsDerivedFromTheReactiveUrl(String reactive, String jdbc) {
        assertEquals(jdbc, jdbcUrl(Map.of(REACTIVE_URL, reactive)));
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

    private static String jdbcUrl(Map<String, String> properties) {
        return config(properties).getConfigValue(JDBC_URL).getValue();
    }

    private static SmallRyeConfig config(Map<String, String> properties) {
        return new SmallRyeConfigBuilder().withDefaultValues(properties).withInterceptors(new JdbcUrl()).build();
    }
}
