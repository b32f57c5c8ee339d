package io.datasetlisting.write.mirror;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.PostgresServer;
import io.datasetlisting.support.ServiceProcess;
import io.vertx.core.json.JsonObject;

/** Two regions, each with a database: an origin and its mirror. */
abstract class Regions {

    static final Duration PATIENCE = Duration.ofSeconds(90);

    static final String STATE = """
            select coalesce(md5(string_agg(d::text, chr(10) order by id)), '') from (
                select id, uav_uid, owner_id, owner_name, workspace, dataset_name, category, captured_date, is_private,
                       available_rasters, band_stats, bbox, coordinates, version, updated_at, thumbnail_key,
                       description, tags, data_credits, data_captured_by, institution_name, location_name, license,
                       citation, doi, rasters, raster_headers
                from dataset where not is_deleted and coordinates is not null) d""";

    /** A dataset of the operator. */
    static final String INSERT = "insert into dataset (owner_id, owner_name, workspace, category, coordinates)"
            + " select id, username, 1, '{Forest}', '{1,2}' from account where id = 0";

    PostgresServer originDatabase;
    PostgresServer mirrorDatabase;
    private final List<ServiceProcess> services = new ArrayList<>();

    @BeforeEach
    void startDatabases() throws IOException {
        originDatabase = new PostgresServer();
        mirrorDatabase = new PostgresServer();
    }

    @AfterEach
    void stop() throws IOException {
        services.forEach(ServiceProcess::close);
        originDatabase.close();
        mirrorDatabase.close();
    }

    ServiceProcess start(PostgresServer database, String... properties) throws IOException {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("-Ddataset.admin-token=" + Caller.admin().key());
        ServiceProcess service = ServiceProcess.start(database.port() + "/postgres", all.toArray(String[]::new));
        services.add(service);
        return service;
    }

    ServiceProcess startMirror(ServiceProcess origin, String... properties) throws IOException {
        return startMirror(mirrorDatabase, origin, properties);
    }

    ServiceProcess startMirror(PostgresServer database, ServiceProcess origin, String... properties)
            throws IOException {
        List<String> all = new ArrayList<>(List.of(properties));
        all.addAll(List.of("-Ddataset.follow.url=" + origin.url(),
                "-Ddataset.follow.token=" + Caller.admin().key(), "-Ddataset.follow.digest-interval=PT2S"));
        return start(database, all.toArray(String[]::new));
    }

    /** Changes a mirror's database as the mirror does: any other statement would promote it. */
    void spoilMirror(String sql) throws SQLException {
        mirrorDatabase.execute("set dataset.keep_times = 'on'; " + sql);
    }

    static String query(PostgresServer database, String sql) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            return e.getMessage();
        }
    }

    static JsonObject dataset(String name) {
        return new JsonObject().put("dataset_name", name).put("coordinates", List.of(1, 2));
    }

    static String names(PostgresServer database) {
        return query(database, "select string_agg(dataset_name, ' ' order by dataset_name) from dataset"
                + " where not is_deleted");
    }

    void awaitEqual(String name) {
        awaitEqual(mirrorDatabase, name);
    }

    void awaitEqual(PostgresServer database, String name) {
        Patience.await(name).atMost(PATIENCE).until(() -> query(originDatabase, STATE).equals(query(database, STATE)));
    }
}
