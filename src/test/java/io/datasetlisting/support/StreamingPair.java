package io.datasetlisting.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A primary and a streaming standby. */
public final class StreamingPair implements AutoCloseable {

    private static final String PRIMARY = "primary";
    private static final String STANDBY = "standby";

    private final InstalledPostgres postgres = new InstalledPostgres();
    private final int primaryPort = FreePort.find();
    private final int standbyPort = FreePort.find();

    public StreamingPair() throws IOException, InterruptedException {
        postgres.create(PRIMARY);
        postgres.start(PRIMARY, primaryPort);
        postgres.run("pg_basebackup", "-h", "127.0.0.1", "-p", Integer.toString(primaryPort), "-U", "postgres", "-D",
                postgres.path(STANDBY), "-R", "-X", "stream", "-c", "fast", "--no-sync");
        startStandby();
    }

    public int primaryPort() {
        return primaryPort;
    }

    public int standbyPort() {
        return standbyPort;
    }

    public void stopPrimary() throws IOException, InterruptedException {
        postgres.stop(PRIMARY);
    }

    /** Makes the primary a standby of the other server, as a switchover does before it promotes that server. */
    public void demotePrimary() throws IOException, InterruptedException {
        postgres.stopInOrder(PRIMARY);
        Files.createFile(Path.of(postgres.path(PRIMARY), "standby.signal"));
        postgres.start(PRIMARY, primaryPort,
                "-c primary_conninfo='host=127.0.0.1 port=" + standbyPort + " user=postgres'");
    }

    public void startStandby() throws IOException, InterruptedException {
        postgres.start(STANDBY, standbyPort);
    }

    public void stopStandby() throws IOException, InterruptedException {
        postgres.stop(STANDBY);
    }

    /** Pauses the replay: the standby receives the changes of the primary, but does not show them. */
    public void pauseStandby() throws IOException, InterruptedException {
        standby("select pg_wal_replay_pause()");
    }

    public void resumeStandby() throws IOException, InterruptedException {
        standby("select pg_wal_replay_resume()");
    }

    /** Ends the stream of the log: the standby lacks all later changes, also after its promotion. */
    public void stopReceiving() throws IOException, InterruptedException {
        standby("alter system set primary_conninfo = ''");
        standby("select pg_reload_conf()");
        standby("""
                do $$ begin
                    while exists (select from pg_stat_wal_receiver) loop perform pg_sleep(0.02); end loop;
                end $$""");
    }

    /** Runs SQL on the primary. */
    public void primary(String database, String sql) throws IOException, InterruptedException {
        postgres.run("psql", "-h", "127.0.0.1", "-p", Integer.toString(primaryPort), "-U", "postgres", "-d", database,
                "-v", "ON_ERROR_STOP=1", "-qc", sql);
    }

    /** Restores a dump of a database of the primary into a new one. */
    public void copyDatabase(String database, String copy) throws IOException, InterruptedException {
        String port = Integer.toString(primaryPort);
        String dump = postgres.path(copy + ".dump");
        postgres.run("pg_dump", "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-Fc", "-f", dump, database);
        primary("postgres", "create database " + copy);
        postgres.run("pg_restore", "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-d", copy, dump);
    }

    /** The primary keeps its connections and accepts new ones, but answers none. */
    public void freezePrimary() throws IOException, InterruptedException {
        postgres.signal(PRIMARY, "STOP");
    }

    public void thawPrimary() throws IOException, InterruptedException {
        postgres.signal(PRIMARY, "CONT");
    }

    /** Makes the standby a primary. */
    public void promoteStandby() throws IOException, InterruptedException {
        postgres.run("pg_ctl", "-D", postgres.path(STANDBY), "-w", "promote");
    }

    private void standby(String sql) throws IOException, InterruptedException {
        postgres.run("psql", "-h", "127.0.0.1", "-p", Integer.toString(standbyPort), "-U", "postgres", "-qc", sql);
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
