package io.datasetlisting.support;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Clients of a database that write datasets at random, in asynchronous commits, until the end or until the database is away. */
public final class RandomWriters {

    private static final int WRITERS = 5;
    private static final int IDS = 400;

    private final PostgresServer database;
    /** The accounts that own the datasets. */
    private final List<Long> owners;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Void> all;

    private RandomWriters(PostgresServer database, List<Long> owners, long seed) {
        this.database = database;
        this.owners = owners;
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Random random = new Random(seed + i);
            writers.add(CompletableFuture.runAsync(() -> write(random)));
        }
        all = CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new));
    }

    public static RandomWriters start(PostgresServer database, List<Long> owners, long seed) {
        return new RandomWriters(database, owners, seed);
    }

    /** Returns when the last write has ended. */
    public void end() {
        ended.set(true);
        all.join();
    }

    private void write(Random random) {
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            statement.execute("set synchronous_commit = off");
            while (!ended.get()) {
                try {
                    statement.execute(statement(random));
                } catch (SQLException e) {
                    if (connection.isClosed() || !connection.isValid(1)) {
                        return;
                    }
                    // A deadlock with another writer.
                }
            }
        } catch (SQLException e) {
            // The database is away.
        }
    }

    private String statement(Random random) {
        return statement(random, IDS, owners);
    }

    /** A statement that writes one of the first datasets, or some of them, for one of these accounts. */
    public static String statement(Random random, int ids, List<Long> owners) {
        int id = 1 + random.nextInt(ids);
        String one = ", version = version + 1 where id = " + id;
        String owner = "(select id, username from account where id = " + owners.get(random.nextInt(owners.size()))
                + ")";
        return switch (random.nextInt(9)) {
            case 0 -> "delete from dataset where id = " + id;
            case 1 -> "update dataset set is_private = not is_private" + one;
            case 2 -> "update dataset set is_deleted = not is_deleted" + one;
            case 3 -> "update dataset set dataset_name = 'n%d', version = version + 1 where id %% 60 = %d"
                    .formatted(random.nextInt(), id % 60);
            case 4 ->
                "update dataset set captured_date = captured_date + interval '1 day', thumbnail_key = 'k" + id + "'"
                        + one;
            case 5 -> "update dataset set (owner_id, owner_name) = " + owner + one;
            case 6 -> "update dataset set category = '{" + (random.nextBoolean() ? "Forest" : "Desert") + "}'" + one;
            case 7 -> "update dataset set description = nullif('d" + random.nextInt(9)
                    + "', 'd0'), tags = case when tags is null"
                    + " then array['a, \"b\"', 'NULL'] end, location_name = 'here'" + one;
            default -> "insert into dataset (id, owner_id, owner_name, workspace, category, coordinates, captured_date)"
                    + " select " + id + ", id, username, 1, '{Forest}', '{1,2}', '2020-01-01 00:00:00.123456Z' from "
                    + owner + " owner on conflict do nothing";
        };
    }
}
