package io.datasetlisting.support;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.datasetlisting.access.account.AccountRepository.Owner;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.datasetlisting.write.bulk.BulkRepository;
import io.datasetlisting.write.sample.DatasetGenerator;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.VertxContextSupport;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Sets the content of the database for a test, and runs SQL. */
@Singleton
public class Catalogue {

    public static final Owner OWNER = new Owner(7, "Ada van Dyk");

    /** The part of a query that selects the connections of the service. */
    public static final String OTHERS = "pg_stat_activity where datname = current_database()"
            + " and pid <> pg_backend_pid() and backend_type = 'client backend'";

    private static final Duration WAIT = Duration.ofMinutes(2);

    /**
     * Identifies the row versions of a table: every insert and every update gives a row another {@code xmin} or another
     * {@code ctid}.
     */
    private static final String ROW_VERSIONS = "select md5(string_agg(ctid::text || xmin::text, ' ' order by ctid)) from ";

    private final BulkRepository repository;
    private final Pool pool;
    /** The content of the last fill and the row versions after it. */
    private Long lastContent;
    private String lastState;

    Catalogue(BulkRepository repository, Pool pool) {
        this.repository = repository;
        this.pool = pool;
    }

    /** The database of a test need not survive a crash of the machine, and each truncate would wait for the disk. */
    void doNotWaitForTheDisk(@Observes StartupEvent event) {
        sql("alter system set fsync = off");
        sql("alter system set full_page_writes = off");
        sql("select pg_reload_conf()");
    }

    /** A public dataset at [1, 2] of {@link #OWNER}, changed as the test needs it. */
    public static Dataset dataset(long id, Consumer<Dataset> change) {
        Dataset dataset = new Dataset();
        dataset.id = id;
        dataset.uavUid = new UUID(0x4000, id);
        dataset.ownerId = OWNER.id();
        dataset.ownerName = OWNER.username();
        dataset.workspace = 70;
        dataset.datasetName = "dataset " + id;
        dataset.category = new String[]{"Forest"};
        dataset.capturedDate = Instant.parse("2021-03-04T05:06:07Z");
        dataset.bandStats = "{\"dsm\":{},\"dtm\":{},\"ortho\":{}}";
        dataset.coordinates = new double[]{1, 2};
        change.accept(dataset);
        return dataset;
    }

    /** A public dataset at [1, 2] of {@link #OWNER}. */
    public static Dataset dataset(long id) {
        return dataset(id, d -> {
        });
    }

    public static List<Dataset> plain(int count) {
        return LongStream.rangeClosed(1, count).mapToObj(i -> dataset(3 * i)).toList();
    }

    public static List<Dataset> generated(int count) {
        DatasetGenerator generator = new DatasetGenerator(42);
        return LongStream.range(0, count).mapToObj(generator::dataset).toList();
    }

    /**
     * Replaces all datasets, and deletes all accounts, tokens and idempotency keys that the datasets do not need. If
     * the database still has the rows of the last fill, and the content is the same, the rows stay.
     */
    public void replaceWith(List<Dataset> datasets) {
        long content = digest(datasets);
        deleteTokens();
        if (!Objects.equals(content, lastContent) || !state().equals(lastState)) {
            writeAnew(datasets);
            lastContent = content;
            lastState = state();
        }
    }

    /** Replaces all datasets, even by the same ones, so that all of their changes are pending. */
    public void writeAnew(List<Dataset> datasets) {
        deleteTokens();
        clear();
        sql("delete from account where id <> 0");
        if (!datasets.isEmpty()) {
            await(() -> repository.writeWithOwners(pool, datasets));
        }
        vacuum();
    }

    private void deleteTokens() {
        sql("delete from idempotency_key; delete from api_token where account_id <> 0; delete from account_identity;"
                + " delete from account where id <> 0 and id not in (select owner_id from dataset)");
    }

    /** Removes all datasets and their tombstones, which each truncate of dataset would read. */
    public void clear() {
        whateverItWaitsFor("truncate dataset, dataset_change");
    }

    private String state() {
        return rowVersions() + sql(ROW_VERSIONS + "account").get(0).getString(0);
    }

    /** A digest that is another one after any write of a dataset. */
    public String rowVersions() {
        return sql(ROW_VERSIONS + "dataset").get(0).getString(0);
    }

    /** A digest of all fields of all datasets. It has 64 bits: tests replace whole catalogues often. */
    private static long digest(List<Dataset> datasets) {
        try {
            long digest = datasets.size();
            List<Field> fields = Stream.of(Dataset.class.getDeclaredFields())
                    .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.getName().startsWith("$"))
                    .toList();
            fields.forEach(field -> field.setAccessible(true));
            for (Dataset dataset : datasets) {
                for (Field field : fields) {
                    digest = digest * 0x9E3779B97F4A7C15L + Arrays.deepHashCode(new Object[]{field.get(dataset)});
                }
            }
            return digest;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    public void replaceWith(Dataset... datasets) {
        replaceWith(Arrays.asList(datasets));
    }

    public List<Row> sql(String statement) {
        return await(() -> pool.query(statement).execute()).stream().toList();
    }

    /** The plan with the values as literals, as PostgreSQL plans the first executions of a prepared statement. */
    public String explain(Sql sql) {
        Sql.Statement statement = sql.statement();
        List<Object> values = await(() -> ((StatementRunner) (text, tuple) -> pool.preparedQuery(text).execute(tuple))
                .lookUp(statement.values()));
        String whole = statement.text();
        for (int i = values.size(); i > 0; i--) {
            whole = whole.replace("$" + i, literal(values.get(i - 1)));
        }
        return sql("explain (costs off) " + whole).stream().map(row -> row.getString(0))
                .collect(Collectors.joining("\n"));
    }

    private static String literal(Object value) {
        return value == null
                ? "null"
                : value instanceof Object[] items
                        ? "'{" + Arrays.stream(items).map(Object::toString).collect(Collectors.joining(",")) + "}'"
                        : "'" + value + "'";
    }

    /** The order in which PostgreSQL sorts these texts as names. */
    public Comparator<String> nameOrder(Collection<String> texts) {
        String values = texts.stream().map(text -> "('" + text.replace("'", "''") + "')")
                .collect(Collectors.joining(","));
        Map<String, Integer> places = new HashMap<>();
        sql("select text from (values " + values + ") texts (text) order by text collate \"und-x-icu\"")
                .forEach(row -> places.put(row.getString(0), places.size()));
        return Comparator.comparing(places::get);
    }

    /** Runs work while another connection is in a transaction that has executed a statement. */
    public void during(String statement, Runnable work) {
        during(statement, other -> {
            work.run();
            return Uni.createFrom().voidItem();
        });
    }

    /** The same, where the work ends with a statement of the other connection. */
    public void during(String statement, Function<SqlConnection, Uni<?>> work) {
        SqlConnection other = await(pool::getConnection);
        try {
            await(() -> other.begin().chain(() -> other.query(statement).execute()));
            Uni<?> last = work.apply(other);
            await(() -> last);
        } finally {
            await(other::close);
        }
    }

    /**
     * Vacuums until all rows are marked as visible to all. PostgreSQL cannot mark them while an old snapshot is open.
     */
    public void vacuumUntilAllIsVisible() {
        awaitThat("(select relallvisible >= relpages - 1 from pg_class where relname = 'dataset')", this::vacuum);
    }

    private void vacuum() {
        sql("vacuum analyze dataset");
    }

    /** Polls the database until a condition is true. */
    public void awaitThat(String condition) {
        awaitThat(condition, () -> {
        });
    }

    private void awaitThat(String condition, Runnable beforeEachPoll) {
        beforeEachPoll.run();
        long deadline = System.nanoTime() + WAIT.toNanos();
        while (!sql("select " + condition).get(0).getBoolean(0)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("condition still not true: " + condition);
            }
            sql("select pg_sleep(0.02)");
            beforeEachPoll.run();
        }
    }

    /** Folds all changes, after a fold of the service that runs. */
    public void fold() {
        whateverItWaitsFor("set transaction isolation level repeatable read;"
                + " lock table rank in share row exclusive mode; select fold_listing_changes()");
    }

    /** Runs statements in a transaction without the time limits of requests: a fold of the service may hold the locks. */
    private void whateverItWaitsFor(String statements) {
        await(() -> pool.withTransaction(connection -> connection
                .query("set local statement_timeout = 0; set local lock_timeout = 0; " + statements).execute()));
    }

    /** Waits until no other connection is in a transaction. */
    public void awaitNoTransaction() {
        awaitThat("not exists (select from " + OTHERS + " and state <> 'idle')");
    }

    /** Waits until no transaction, no temporary file and no transfer is in use. */
    public void awaitNothingInUse() {
        awaitNoTransaction();
        Patience.await("no file and no transfer is in use").until(() -> Metrics.metric("dataset_spool_bytes") == 0
                && Metrics.metric("dataset_transfers_running") == 0 && OpenFiles.count(".spool") == 0);
    }

    /** What is done while something else happens. */
    @FunctionalInterface
    public interface Work {

        void run() throws Exception;
    }

    /** Does work while statements change all datasets, one after another. Each gives all the same workspace. */
    public void whileWorkspacesChange(Work work) throws Exception {
        AtomicBoolean isDone = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int workspace = 1; !isDone.get(); workspace++) {
                sql("update dataset set workspace = " + workspace);
            }
        });
        try {
            work.run();
        } finally {
            isDone.set(true);
            writer.join();
        }
    }

    private static <T> T await(java.util.function.Supplier<Uni<T>> work) {
        try {
            return VertxContextSupport.subscribeAndAwait(work);
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
