package io.datasetlisting.postgres.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.datasetlisting.support.Program;
import io.datasetlisting.support.TlsPostgres;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;

/** Tests with a server that demands TLS that both drivers, and {@code psql}, take an address in one meaning. */
class DatabaseAddressTest {

    private static final String KEY = "the.key";

    @TempDir
    private static Path folder;
    private static TlsPostgres postgres;
    private static Vertx vertx;

    @BeforeAll
    static void start() throws Exception {
        postgres = new TlsPostgres(folder);
        postgres.setPassword("secret");
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stop() throws IOException {
        vertx.close();
        postgres.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            localhost | sslmode=disable                               | refused
            localhost | sslmode=allow                                 | open
            localhost | sslmode=prefer                                | open
            127.0.0.1 | sslmode=require                               | open
            127.0.0.1 | sslmode=require&sslrootcert=right             | open
            127.0.0.1 | sslmode=require&sslrootcert=wrong             | refused
            127.0.0.1 | sslmode=verify-ca&sslrootcert=right           | open
            127.0.0.1 | sslmode=verify-ca&sslrootcert=both            | open
            127.0.0.1 | sslmode=verify-ca&sslrootcert=wrong           | refused
            localhost | sslrootcert=right&sslmode=verify-full         | open
            localhost | sslmode=verify-full&sslrootcert=wrong         | refused
            127.0.0.1 | sslmode=verify-full&sslrootcert=right         | refused
            """)
    void anAddressOpensAConnectionOrNone(String host, String parameters, String outcome) throws Exception {
        String url = url(host, parameters.replaceFirst("(sslrootcert=)(\\w+)", "$1" + folder + "/$2.pem"));
        assertEquals(outcome, reactive(url));
        assertEquals(outcome, jdbc(url));
        File psql = Program.find("psql");
        if (psql != null) {
            Program program = new Program(psql.toPath(), folder, Map.of("PGPASSWORD", "secret", "PGUSER", "datasets"));
            assertEquals(outcome, program.succeeds(url, "-c", "select 1") ? "open" : "refused");
        }
    }

    /** The server offers TLS. */
    @Test
    void anAddressWithoutAModeUsesNoTls() throws Exception {
        String url = url("localhost", "application_name=test");
        assertEquals("refused", reactive(url));
        assertEquals("refused", jdbc(url));
    }

    /** The psql of PostgreSQL 15 does not know the certificates of the system, and no public authority signs a local server. */
    @ParameterizedTest
    @ValueSource(strings = {"sslrootcert=system", "sslmode=verify-full&sslrootcert=system",
            "sslrootcert=system&sslmode=verify-full"})
    void theAuthoritiesOfTheSystemHaveNotSignedTheCertificate(String parameters) throws Exception {
        String url = url("localhost", parameters);
        assertEquals("refused", reactive(url));
        assertEquals("refused", jdbc(url));
        assertTrue(DatabaseAddress.jdbc(url, false).contains("sslmode=verify-full"));
    }

    private static String url(String host, String parameters) {
        return "postgresql://" + host + ":" + postgres.port() + "/postgres?" + parameters;
    }

    private static String reactive(String url) throws InterruptedException {
        PgConnectOptions options = DatabaseAddress.parse(KEY, url).setUser("datasets").setPassword("secret");
        DatabaseAddress.applyTls(KEY, url, options);
        try {
            PgConnection connection = PgConnection.connect(vertx, DatabasePool.copy(options)).toCompletionStage()
                    .toCompletableFuture().get();
            assertTrue(connection.isSSL());
            connection.close();
            return "open";
        } catch (ExecutionException e) {
            return "refused";
        }
    }

    private static String jdbc(String url) {
        try {
            DriverManager.getConnection(DatabaseAddress.jdbc(url, false), "datasets", "secret").close();
            return "open";
        } catch (SQLException e) {
            return "refused";
        }
    }

    @Test
    void aReplicaHasTheSettingsOfThePrimaryUnlessItHasItsOwn() {
        String url = url("localhost", "sslmode=verify-full&sslrootcert=" + postgres.file("right"));
        PgConnectOptions primary = DatabaseAddress.parse(KEY, url);
        DatabaseAddress.applyTls(KEY, url, primary);
        PgConnectOptions same = DatabaseAddress.replica(KEY, "postgresql://replica/datasets", primary);
        assertEquals("HTTPS", same.getHostnameVerificationAlgorithm());
        assertEquals(primary.getTrustOptions(), same.getTrustOptions());
        PgConnectOptions own = DatabaseAddress.replica(KEY, "postgresql://replica/datasets?sslmode=require&sslrootcert="
                + postgres.file("wrong"), primary);
        assertEquals("replica", own.getHost());
        assertEquals("", own.getHostnameVerificationAlgorithm());
        assertFalse(own.isTrustAll());
        assertFalse(primary.getTrustOptions().equals(own.getTrustOptions()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:postgresql://user:secret@a/b", "mysql://user:secret@a/b",
            "postgresql://user:secret@a:x/b",
            "postgresql://user:secret@a/b?sslmode=verify", "postgresql://user:secret@a/b?sslmode=verify-full",
            "postgresql://user:secret@a/b?sslmode=verify-ca&sslrootcert=/no/such/file",
            "postgresql://user:secret@a/b?sslmode=require&sslrootcert=system"})
    void aWrongAddressIsRefusedWithItsKeyAndWithoutItsPassword(String address) {
        String message = assertThrows(ConfigurationException.class,
                () -> DatabaseAddress.applyTls(KEY, address, DatabaseAddress.parse(KEY, address))).getMessage();
        assertTrue(message.startsWith(KEY) && message.lines().count() == 1 && !message.contains("secret"), message);
    }
}
