package io.datasetlisting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.datasetlisting.support.Bulk;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Listing;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** Tests further starts of the package: with wrong settings, without a database, on databases that others have made. */
class PackagedStartsIT {

    private static final Pattern STAGES = Pattern.compile(
            "Start: platform \\d+ ms, database \\d+ ms, services \\d+ ms, listener \\d+ ms");

    @AutoClose
    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    /** The whole log of a start that must fail with exit code 1. */
    private static String failedStart(String database, String... properties) throws Exception {
        try (ServiceProcess service = ServiceProcess.start(database, properties)) {
            assertEquals(1, service.awaitExit(), service::log);
            assertFalse(service.log().contains("\tat "), service::log);
            return service.log();
        }
    }

    /** Flyway would open JDBC connections. */
    @Test
    void onAMigratedDatabaseItStartsWithoutFlyway() throws Exception {
        execute("postgres", "create database migrated");
        for (boolean migrated : List.of(false, true)) {
            try (ServiceProcess service = ServiceProcess.start(postgres.getPort() + "/migrated",
                    "-Dquarkus.log.category.\"io.datasetlisting.StartStages\".level=DEBUG")) {
                service.use();
                assertEquals(200, Caller.anonymous().get(Listing.PATH).statusCode());
                Patience.await("the stages of the start").until(() -> STAGES.matcher(service.log()).find());
                assertEquals(!migrated, service.log().contains("[org.fly."), service::log);
                service.stopInOrder();
            }
        }
        execute("migrated", "update flyway_schema_history set checksum = 1 where version = '3'");
        assertTrue(failedStart(postgres.getPort() + "/migrated").contains("the database has other migrations"));
    }

    /** While PostgreSQL counts all datasets of a large catalogue, no data moves on the connection of the fold. */
    @Test
    void aFoldMayTakeLongerThanTheIdleTimeoutOfConnections() throws Exception {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database slow");
        }
        try (ServiceProcess service = ServiceProcess.start(postgres.getPort() + "/slow",
                "-Ddataset.sample.enabled=true", "-Ddataset.database.idle-timeout=PT1S");
                Connection connection = postgres.getDatabase("postgres", "slow").getConnection();
                Statement statement = connection.createStatement()) {
            service.url();
            statement.execute("""
                    alter function fold_listing_changes(bigint) rename to fold_at_once;
                    create function fold_listing_changes(decided bigint) returns bigint language plpgsql as $$
                    begin
                        perform pg_sleep(2.5);
                        return fold_at_once(decided);
                    end
                    $$;
                    update dataset set dataset_name = 'new'""");
            Patience.await("the fold")
                    .until(() -> !isTrue(statement, "select exists (select from listing_change)"));
            assertFalse(service.log().contains("Pending changes are not folded"), service::log);
        }
    }

    /** The statements of the document make both roles. The service reads, writes and folds with the role that owns nothing. */
    @Test
    void aRoleThatOwnsNothingServesWithoutWarnings() throws Exception {
        String document = Files.readString(Path.of("docs/operations.md"));
        String roles = statements(document, "    create role datasets_owner");
        int newDatabase = roles.indexOf("\\connect datasets\n");
        for (String statement : roles.substring(0, newDatabase).split(";")) {
            execute("postgres", statement);
        }
        execute("datasets", roles.substring(roles.indexOf('\n', newDatabase)));
        try (ServiceProcess migration = ServiceProcess.start(postgres.getPort() + "/datasets",
                "-Dquarkus.datasource.username=datasets_owner", "-Ddataset.database.migrate-and-exit=true")) {
            assertEquals(0, migration.awaitExit(), migration::log);
        }
        execute("datasets", statements(document, "    grant select, insert"));
        for (boolean mayVacuum : List.of(false, true)) {
            String expected = mayVacuum ? "Folded changes are vacuumed" : "Folded changes are left to autovacuum";
            try (ServiceProcess service = ServiceProcess.start(postgres.getPort() + "/datasets",
                    "-Dquarkus.datasource.username=datasets", "-Ddataset.database.migrate-at-start=false",
                    "-Ddataset.admin-token=" + Caller.admin().key(),
                    "-Dquarkus.log.category.\"io.datasetlisting.catalogue.rank\".level=DEBUG")) {
                service.use();
                assertEquals(0, Bulk.importAll(LongStream.range(mayVacuum ? 1 : 9_001, mayVacuum ? 2_501 : 11_501)
                        .mapToObj(Bulk::line)
                        .toArray(JsonObject[]::new)).refused());
                Patience.await("the vacuum after a large fold").until(
                        () -> service.log().contains(expected));
                assertEquals(List.of(), service.log().lines().filter(line -> line.matches("\\S+ \\S+ (WARN|ERROR) .*"))
                        .toList());
                service.stopInOrder();
            }
            execute("datasets", statements(document, "    grant maintain"));
        }
    }

    /** The indented lines of a document from the first one that begins with this text. */
    private static String statements(String document, String start) {
        return document.substring(document.indexOf("\n" + start)).lines().skip(1)
                .takeWhile(line -> line.startsWith("    ")).map(String::strip)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static boolean isTrue(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getBoolean(1);
        }
    }

    @Test
    void withoutADatabaseItLogsRetriesAndExits() throws Exception {
        String output = failedStart("1/postgres", "-Ddataset.database.start-timeout=2s");
        assertTrue(output.contains("Database not available, next try in 250 ms: Connection refused"), output);
        assertTrue(output.contains("next try in 500 ms"), output);
        assertTrue(output.contains("Database not available within 2 s: Connection refused"), output);
    }

    @Test
    void theLogHasTheReasonIfTheDatabaseRefusesTheConnection() throws Exception {
        assertTrue(failedStart(postgres.getPort() + "/nobody", "-Ddataset.database.start-timeout=1s")
                .contains("database \"nobody\" does not exist"));
    }

    /** As a build before 1.0.0 has left it: the same version numbers with other checksums, and more of them. */
    @Test
    void aDatabaseWithOtherMigrationsStopsTheStartWithOneLine() throws Exception {
        execute("postgres", "create database before");
        execute("before", """
                create table flyway_schema_history (
                    installed_rank int primary key, version varchar(50), description varchar(200), type varchar(20),
                    script varchar(1000), checksum int, installed_by varchar(100), installed_on timestamp default now(),
                    execution_time int, success boolean);
                insert into flyway_schema_history
                select i, i, 'before', 'SQL', 'V' || i || '__before.sql', i, 'postgres', now(), 1, true
                from generate_series(1, 13) i""");
        String output = failedStart(postgres.getPort() + "/before");
        assertEquals(1, output.lines().filter(line -> line.contains("migrat")).count(), output);
        assertTrue(output.contains("see docs/operations.md"), output);
    }

    private static void execute(String database, String sql) throws SQLException {
        try (Connection connection = postgres.getDatabase("postgres", database).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aContradictoryConfigurationPreventsTheStart() throws Exception {
        assertTrue(failedStart(postgres.getPort() + "/postgres", "-Ddataset.listing.default-page-size=101")
                .contains("dataset.listing.default-page-size (101) is above dataset.listing.max-page-size (100)"));
        assertTrue(failedStart(postgres.getPort() + "/postgres", "-Dquarkus.http.proxy.proxy-address-forwarding=true")
                .contains("quarkus.http.proxy.trusted-proxies"));
        assertTrue(failedStart(postgres.getPort() + "/postgres", "-Ddataset.listing.max-pagesize=5")
                .contains("dataset.listing.max-pagesize"));
    }

    /** Each of these settings is found at another moment of the start. StartupChecksTest knows a wrong value of each key. */
    @ParameterizedTest
    @CsvSource({"quarkus.datasource.reactive.url,jdbc:postgresql://user:secret@127.0.0.1/datasets",
            "quarkus.datasource.reactive.url,mysql://user:secret@127.0.0.1/datasets",
            "quarkus.datasource.reactive.url,postgresql://user:secret@127.0.0.1/datasets?sslmode=verify-full",
            "dataset.database.read-url,mysql://127.0.0.1/datasets", "dataset.database.page-connections,0",
            "dataset.database.password-file,/no/such/file", "dataset.database.fold-interval,PT0S",
            "dataset.listing.max-page-size,many", "dataset.listing.max-pagesize,5", "dataset.page.enabled,maybe",
            "dataset.storage.url,not-a-url", "quarkus.http.port,many"})
    void aWrongSettingEndsInOneLineWithItsKey(String key, String value) throws Exception {
        String output = failedStart(postgres.getPort() + "/postgres", "-D" + key + "=" + value);
        assertEquals(1, output.lines().count(), output);
        assertTrue(output.contains(key) && !output.contains("secret"), output);
    }
}
