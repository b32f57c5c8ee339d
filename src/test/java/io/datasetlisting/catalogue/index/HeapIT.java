package io.datasetlisting.catalogue.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.datasetlisting.base.HeapShare;
import io.datasetlisting.support.Patience;
import io.datasetlisting.support.ServiceProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** Tests that the shipped heap holds as many datasets as the defaults promise, while many clients ask for what reads columns. */
class HeapIT {

    private static final int CLIENTS = 32;
    private static final Duration LOAD = Duration.ofSeconds(60);

    /** Random numbers stand for %d, so that no two requests are equal. */
    private static final List<String> REQUESTS = List.of(
            "/api/dataset/?category=Forest&captured_after=2%1$03d-05-%2$02d",
            "/api/dataset/?in_bbox=-%2$d.%1$03d,-40,100,%2$d.%1$03d", "/api/dataset/?owner=Owner %1$d&p=2",
            "/api/dataset/?ordering=-captured_date&category=Rocky&captured_before=2%1$03d-03-%2$02d&p=%2$d",
            "/api/dataset/facets/?captured_after=2%1$03d-01-%2$02d", "/api/dataset/facets/?unknown=%1$d",
            "/api/dataset/histogram/?category=Desert&captured_after=2%1$03d-01-%2$02d", "/datasets/grid/?unknown=%1$d",
            "/datasets/grid/?in_bbox=-%2$d.%1$03d,-40,100,%2$d", "/tiles/0/0/0.mvt?unknown=%1$d",
            "/stac/aggregate?aggregations=total_count&bbox=-%2$d.%1$03d,-40,100,%2$d",
            "/datasets/?category=Rocky&captured_after=2%1$03d-02-%2$02d", "/datasets/?unknown=%1$d&p=%2$d",
            "/stac/search?limit=50&bbox=-%2$d.%1$03d,-40,100,%2$d", "/api/dataset/%1$d%2$d/");

    private static final Pattern PAUSES = Pattern.compile("(?m)^jvm_gc_pause_seconds_sum.* (.*)$");

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private ServiceProcess service;

    @Test
    void theShippedHeapHoldsTheDatasetsThatTheDefaultsPromise() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().setServerConfig("fsync", "off")
                .setServerConfig("max_wal_size", "4GB").start();
                ServiceProcess started = ServiceProcess.start(postgres.getPort() + "/postgres", "-Xms32m",
                        "-Xmx" + shippedMebibytes() + "m", "-XX:+ExitOnOutOfMemoryError",
                        // On a busy machine many clients wait longer.
                        "-Ddataset.http.request-timeout=PT1M", "-Ddataset.database.search-timeout=PT30S")) {
            service = started;
            service.url();
            try (Connection database = postgres.getPostgresDatabase().getConnection();
                    Statement statement = database.createStatement()) {
                fill(statement, promised());
                for (String request : REQUESTS) {
                    Patience.await(request)
                            .untilAsserted(() -> assertEquals(200, get(request.formatted(16, 11)).statusCode()));
                }
                serve(statement);
            }
        }
    }

    /** The heap in the container of the manifest. */
    private static int shippedMebibytes() throws Exception {
        return number("src/main/kubernetes/base/deployment.yaml", "(?s)limits:.*?memory: (\\d+)Mi")
                * number("src/main/docker/Dockerfile.jvm", "MaxRAMPercentage=(\\d+)") / 100;
    }

    private static int number(String file, String regex) throws Exception {
        return find(Files.readString(Path.of(file)), regex);
    }

    private static int find(String text, String regex) {
        return Integer.parseInt(Pattern.compile(regex).matcher(text).results().findFirst().orElseThrow().group(1));
    }

    /** From the table in the log of the start. */
    private int promised() {
        return (find(service.log(), "(\\d+) MB  columns") << 20) / HeapShare.BYTES_OF_A_DATASET;
    }

    /** Makes indexes and ranks once at the end, without the index of words and choices, which no request reads. */
    private static void fill(Statement statement, int datasets) throws SQLException {
        for (String sql : """
                insert into account (id, username) select i, 'Owner ' || i from generate_series(1, 2000) i;
                create temp table dropped as select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
                from pg_index where indrelid = 'dataset'::regclass
                    and not exists (select from pg_constraint where conindid = indexrelid);
                do 'declare each text; begin
                    for each in select name from dropped loop execute ''drop index '' || each; end loop; end';
                alter table dataset disable trigger user;
                insert into dataset (id, owner_id, owner_name, workspace, dataset_name, category, captured_date, coordinates,
                    bbox, available_rasters, is_private, band_stats)
                select i, 1 + i %% 2000, 'Owner ' || 1 + i %% 2000, 1 + i %% 6000, 'Flight ' || i %% 1009,
                       (array['{Forest}', '{Rocky,Other}', '{Desert}'])[1 + i %% 3]::text[],
                       timestamptz '2016-01-01' + i * 7919 %% 300000000 * interval '1 s', array[lat, lon],
                       array[lat - 0.01, lon - 0.01, lat + 0.01, lon + 0.01], '{ortho,dsm}', i %% 100 = 0,
                       jsonb_build_object('dsm', '{}'::jsonb, 'dtm', '{}'::jsonb, 'ortho', '{}'::jsonb, 'multispec_ortho',
                           jsonb_build_object('band_descr', jsonb_build_object('red', 1, 'band ' || i %% 9, 2)))
                from (select i, i * 48271 %% 160000 / 1e3 - 80 as lat, i * 69621 %% 350000 / 1e3 - 175 as lon
                      from generate_series(1::bigint, %d) i) each;
                alter table dataset enable trigger user;
                set maintenance_work_mem = '512MB';
                do 'declare each text; begin
                    for each in select definition from dropped where definition not like ''%% gin %%''
                    loop execute each; end loop; end';
                vacuum analyze dataset;
                call rebuild_ranks()""".formatted(datasets).split(";\n")) {
            statement.execute(sql);
        }
    }

    /** Many clients ask at the same time, while the listing changes. */
    private void serve(Statement statement) throws Exception {
        Map<String, Integer> failures = new ConcurrentHashMap<>();
        double before = pauses();
        long start = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        List<CompletableFuture<Void>> clients = Stream.generate(() -> CompletableFuture.runAsync(() -> {
            Random random = new Random();
            while (System.nanoTime() - start < LOAD.toNanos()) {
                String request = REQUESTS.get(random.nextInt(REQUESTS.size()));
                int status = get(request.formatted(16 + random.nextInt(9), 10 + random.nextInt(18))).statusCode();
                failures.merge(status == 200 ? "" : status + " " + request, 1, Integer::sum);
            }
        }, threads)).limit(CLIENTS).toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new));
        for (int id = 1; !all.isDone(); id += 997) {
            statement.execute("update dataset set category = '{Savanna}' where id = " + id + "; select pg_sleep(0.2)");
        }
        all.join();
        threads.shutdown();
        double share = (pauses() - before) / Duration.ofNanos(System.nanoTime() - start).toMillis() * 1000;
        int answered = failures.remove("");
        assertEquals(Map.of(), failures, answered + " others were answered");
        assertTrue(share < 0.1, share + " of the time in collections");
        assertFalse(service.log().contains("OutOfMemoryError"), service::log);
        assertTrue(get("/q/metrics").body().contains("dataset_columns_refused_total 0.0"));
    }

    private double pauses() {
        return PAUSES.matcher(get("/q/metrics").body()).results().mapToDouble(each -> Double.parseDouble(each.group(1)))
                .sum();
    }

    private HttpResponse<String> get(String path) {
        return client.sendAsync(
                HttpRequest.newBuilder(service.url().resolve(path.replace(" ", "%20"))).timeout(Duration.ofMinutes(2))
                        .build(),
                HttpResponse.BodyHandlers.ofString()).join();
    }
}
