package io.datasetlisting.postgres.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Api;
import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Copy;
import io.datasetlisting.support.FreePort;
import io.datasetlisting.support.InstalledPostgres;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.PlainCounts;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;

/** Tests the ways in docs/operations.md that write datasets without the service: dumps and logical replication. */
class RestoreIT {

    private static final int PORT = FreePort.find();
    /** The public datasets of the sample data, and so of each copy. */
    private static final String COUNTED = "select count(*) from dataset where not is_deleted and not is_private and "
            + "coordinates is not null";
    private static final String RANKED = "select total + (select coalesce(sum(change), 0) from listing_change) from rank "
            + "where field = 'id'";

    private static InstalledPostgres postgres;

    @BeforeAll
    static void fill() throws Exception {
        postgres = new InstalledPostgres();
        postgres.create("server");
        postgres.start("server", PORT, "-c wal_level=logical");
        run("createdb", "source");
        try (ServiceProcess service = start("source", "-Ddataset.sample.enabled=true")) {
            service.url();
            service.stopInOrder();
        }
        run("createdb", "migrated");
        try (ServiceProcess service = start("migrated", "-Ddataset.database.migrate-and-exit=true")) {
            assertEquals(0, service.awaitExit(), service::log);
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }

    @Test
    void aDumpIsRestoredInParallel() throws Exception {
        String dump = postgres.path("whole");
        run("pg_dump", "--format=directory", "--file=" + dump, "source");
        run("createdb", "whole");
        run("pg_restore", "--jobs=4", "--exit-on-error", "--dbname=whole", dump);
        assertIsExact("whole");
        assertCountsAreExact("whole");
    }

    /** A restored database has no changes after the dump, and other ones later. */
    @Test
    void aPositionInTheChangesIsValidUpToTheDump() throws Exception {
        run("createdb", "followed");
        Copy older;
        Copy newer;
        String dump = postgres.path("followed");
        try (ServiceProcess service = startForAdmin("followed", "-Ddataset.sample.enabled=true")) {
            Api admin = admin(service);
            // The feed has the sample data after the first fold.
            Patience.await("the first fold")
                    .until(() -> sql("followed", "select count(*) > 0 from dataset_change").equals("t"));
            older = Copy.of(admin, "");
            older.awaitEqual();
            run("pg_dump", "--format=directory", "--file=" + dump, "followed");
            rename(admin, older, "after the dump");
            newer = Copy.of(admin, "");
            newer.awaitEqual();
            service.stopInOrder();
        }
        run("createdb", "returned");
        run("pg_restore", "--exit-on-error", "--dbname=returned", dump);
        try (ServiceProcess service = startForAdmin("returned")) {
            Api admin = admin(service);
            rename(admin, older, "after the restore");
            older.moveTo(admin);
            older.awaitEqual();
            assertEquals(0, older.resets);
            // The newest change of the restored database is newer than this position.
            newer.moveTo(admin);
            newer.awaitEqual();
            assertEquals(1, newer.resets);
            service.stopInOrder();
        }
    }

    private static Api admin(ServiceProcess service) {
        return new Api(service.url().toString(), Caller.admin().key());
    }

    private static void rename(Api admin, Copy copy, String name) {
        Api.json(200, admin.call("PATCH", "/api/dataset/" + copy.revisions.firstKey() + "/",
                new JsonObject().put("dataset_name", name)));
    }

    @Test
    void theRowsOfTheOwnTablesAreRestoredIntoAMigratedDatabase() throws Exception {
        String dump = postgres.path("rows.sql");
        run("pg_dump", "--data-only", "--table=account", "--table=dataset", "--table=api_token",
                "--table=idempotency_key", "--file=" + dump, "source");
        run("createdb", "--template=migrated", "restored");
        run("psql", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--file=" + dump, "restored");
        assertIsExact("restored");
        sql("restored", "insert into dataset (owner_id, owner_name, workspace, category, coordinates)"
                + " select id, username, 1, '{Other}', '{1, 2}' from account limit 1");
        assertIsExact("restored");
        assertCountsAreExact("restored");
    }

    /** Such a dump contains the ranks, too, and the migrated database has some already. */
    @Test
    void theServiceReportsARestoreOfAllRowsAndRebuildsTheRanks() throws Exception {
        String dump = postgres.path("all.sql");
        run("pg_dump", "--data-only", "--disable-triggers", "--file=" + dump, "source");
        run("createdb", "--template=migrated", "damaged");
        run("psql", "--quiet", "--file=" + dump, "damaged");
        sql("damaged", "update pg_collation set collversion = '1.2' where collname = 'und-x-icu'");
        try (ServiceProcess service = start("damaged")) {
            Api api = new Api(service.url().toString(), null);
            Patience.await("the report").until(() -> api.get("/q/health/ready").body()
                    .contains("the triggers of dataset do not record all changes"));
            String ready = api.get("/q/health/ready").body();
            assertTrue(ready.contains("version 1.2 of the collation und-x-icu")
                    && ready.contains("run the service once with dataset.database.rebuild-and-exit=true"), ready);
            assertEquals(200, api.get("/q/health/ready").statusCode());
            assertTrue(
                    service.log()
                            .contains("Pages may be wrong: the triggers of dataset do not record all changes; run"),
                    service::log);
            service.stopInOrder();
        }
        try (ServiceProcess service = start("damaged", "-Ddataset.database.rebuild-and-exit=true")) {
            assertEquals(0, service.awaitExit(), service::log);
            assertTrue(service.log().contains("reindex table concurrently dataset"), service::log);
        }
        assertIsExact("damaged");
        assertEquals("", sql("damaged", "select text_problem()"));
        assertCountsAreExact("damaged");
    }

    @Test
    void aCopyByLogicalReplicationHasExactRanks() throws Exception {
        run("createdb", "--template=migrated", "mirror");
        sql("source", "create publication catalogue for table account, dataset");
        sql("source", "select pg_create_logical_replication_slot('mirror', 'pgoutput')");
        sql("mirror", "create subscription mirror connection 'host=127.0.0.1 port=" + PORT
                + " user=postgres dbname=source' publication catalogue with (create_slot = false, slot_name = 'mirror')");
        try {
            awaitEqualCounts();
            sql("source", "update dataset set dataset_name = 'written' where id % 3 = 0");
            sql("source", "delete from dataset where id % 5 = 0");
            sql("source", "insert into dataset (owner_id, owner_name, workspace, category, coordinates)"
                    + " select id, username, 1, '{Other}', '{1, 2}' from account limit 1");
            awaitEqualCounts();
            assertIsExact("mirror");
            assertCountsAreExact("mirror");
        } finally {
            sql("mirror", "drop subscription mirror");
        }
    }

    private static void awaitEqualCounts() throws Exception {
        String counts = "select count(*) || ' ' || count(*) filter (where dataset_name = 'written') from dataset";
        Patience.await("the copy").until(() -> sql("mirror", counts).equals(sql("source", counts)));
        assertFalse(sql("mirror", counts).startsWith("0 "));
    }

    /** The service folds nothing in these databases, so that the pending changes count. */
    private static void assertIsExact(String database) throws Exception {
        assertEquals("", sql(database, "select rank_problem()"));
        assertEquals("", sql(database, "select * from wrong_ranks()"));
        assertNotEquals("0", sql(database, COUNTED));
        assertEquals(sql(database, COUNTED), sql(database, RANKED));
    }

    /** Of a service, which then folds the pending changes. */
    private static void assertCountsAreExact(String database) throws Exception {
        try (ServiceProcess service = startForAdmin(database)) {
            Api admin = admin(service);
            PlainCounts.compare(PlainCounts.Database.of(PORT, database), admin.with(null), admin);
            service.stopInOrder();
        }
    }

    private static String sql(String database, String sql) throws IOException, InterruptedException {
        return run("psql", "-qAt", "-c", sql, database);
    }

    /** Runs a program of PostgreSQL. The name of the database is the last argument. */
    private static String run(String program, String... arguments) throws IOException, InterruptedException {
        String[] all = new String[arguments.length + 3];
        all[0] = "--host=127.0.0.1";
        all[1] = "--port=" + PORT;
        all[2] = "--username=postgres";
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return postgres.run(program, all);
    }

    private static ServiceProcess startForAdmin(String database, String... properties) throws IOException {
        return start(database, Stream.concat(Stream.of("-Ddataset.admin-token=" + Caller.admin().key()),
                Stream.of(properties)).toArray(String[]::new));
    }

    private static ServiceProcess start(String database, String... properties) throws IOException {
        return ServiceProcess.start(PORT + "/" + database, properties);
    }
}
