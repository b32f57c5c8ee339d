package io.datasetlisting.postgres.database;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.api.resource.LoadableResource;
import org.flywaydb.core.internal.resolver.ChecksumCalculator;
import org.jboss.logging.Logger;

import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;

/**
 * Compares Flyway's history with the migrations of this build. Flyway itself opens JDBC connections for this, loads the driver,
 * and reads the catalogue of the database, which takes longer than the rest of a start.
 */
@Singleton
class SchemaHistory {

    private static final Logger LOG = Logger.getLogger(SchemaHistory.class);

    /** The condition leaves out the history of another schema on the search path. Flyway migrates the first schema. */
    private static final String APPLIED = """
            select script, checksum, success from flyway_schema_history
            where tableoid = (select oid from pg_class
                where relname = 'flyway_schema_history' and relnamespace = current_schema()::regnamespace)""";

    private final Pool pool;
    private final Flyway flyway;

    SchemaHistory(Pool pool, Flyway flyway) {
        this.pool = pool;
        this.flyway = flyway;
    }

    /**
     * Whether exactly the migrations of this build have been applied, all with success and unchanged. If it is not certain, the
     * answer is no: Flyway then finds and reports the reason.
     */
    boolean isComplete(Duration timeout) {
        try {
            return isComplete(Connections.readAgainIfLost(() -> pool.query(APPLIED).execute())
                    .await().atMost(timeout));
        } catch (RuntimeException e) {
            LOG.debug("The history of the schema could not be read", e);
            return false;
        }
    }

    private boolean isComplete(RowSet<Row> applied) {
        Map<String, Integer> missing = migrations().stream()
                .collect(Collectors.toMap(LoadableResource::getRelativePath, ChecksumCalculator::calculate));
        for (Row migration : applied) {
            boolean isKnown = missing.remove(migration.getString("script"), migration.getInteger("checksum"));
            if (!isKnown || !migration.getBoolean("success")) {
                return false;
            }
        }
        return missing.isEmpty();
    }

    private Collection<LoadableResource> migrations() {
        Configuration configuration = flyway.getConfiguration();
        return configuration.getResourceProvider().getResources("", configuration.getSqlMigrationSuffixes());
    }
}
