package io.datasetlisting.write.change;

import static io.datasetlisting.support.Caller.admin;
import static io.datasetlisting.support.Caller.anonymous;
import static io.datasetlisting.support.Catalogue.plain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import jakarta.inject.Inject;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.datasetlisting.support.Caller;
import io.datasetlisting.support.Catalogue;
import io.datasetlisting.support.Listing;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Row;

/** Tests that a client that polls with {@code updated_since} misses no change, however late it becomes visible. */
@QuarkusTest
class VisibleSinceTest {

    private static final String AN_HOUR_AGO = "set local dataset.keep_times = 'on';"
            + " update dataset set version = version + 1, updated_at = now() - interval '1 hour' where id = ";

    @Inject
    Catalogue catalogue;

    @BeforeEach
    void fill() {
        catalogue.replaceWith(plain(4));
        catalogue.sql("alter table dataset disable trigger dataset_is_touched");
        catalogue.sql("update dataset set updated_at = '2020-01-01T00:00:00Z'");
        catalogue.sql("alter table dataset enable trigger dataset_is_touched");
        catalogue.fold();
        // As if the datasets had been visible since then.
        catalogue.sql("delete from late_fold");
    }

    private static List<Long> since(String time, Caller caller) {
        return caller.get(Listing.PATH + "?updated_since=" + time).then().statusCode(200).extract().jsonPath()
                .getList("results.id", Long.class);
    }

    private List<Long> ids() {
        return catalogue.sql("select id from dataset order by id").stream().map(row -> row.getLong(0)).toList();
    }

    private String now() {
        return catalogue
                .sql("select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
                .get(0).getString(0);
    }

    @Test
    void findsAChangeThatBecomesVisibleLate() {
        List<Long> ids = ids();
        AtomicReference<String> answered = new AtomicReference<>();
        catalogue.during(AN_HOUR_AGO + ids.get(1), other -> {
            admin().patch(Listing.PATH + ids.get(0) + "/", "{\"dataset_name\": \"beside\"}").then().statusCode(200);
            catalogue.fold();
            assertEquals(List.of(ids.get(0)), since(now(), anonymous()));
            answered.set(now());
            return other.query("commit").execute();
        });
        // Both before and after the fold.
        assertEquals(ids.subList(0, 2), since(answered.get(), anonymous()));
        catalogue.fold();
        assertEquals(ids.subList(0, 2), since(answered.get(), anonymous()));
        assertEquals(List.of(), since(Instant.parse(now()).plusSeconds(60).toString(), anonymous()));
    }

    /** A private dataset shows nothing to other callers. */
    @Test
    void findsALatePrivateDatasetForItsOwner() {
        List<Long> ids = ids();
        catalogue.sql("update dataset set is_private = true, version = version + 1 where id = " + ids.get(1));
        catalogue.fold();
        catalogue.sql("delete from late_fold");
        AtomicReference<String> before = new AtomicReference<>();
        catalogue.during(AN_HOUR_AGO + ids.get(1), other -> {
            before.set(now());
            return other.query("commit").execute();
        });
        catalogue.fold();
        assertTrue(since(before.get(), admin()).contains(ids.get(1)));
        assertEquals(List.of(), since(before.get(), anonymous()));
    }

    @Test
    void keepsOnlyLateFoldsThatHaveAnOlderChangeThanAllLaterOnes() {
        catalogue.sql("select record_late_fold(1000000 + no, fold_time(1000000) - hours * interval '1 hour')"
                + " from unnest(array[50, 20, 10, 30, 1]) with ordinality late (hours, no)");
        assertEquals(List.of(1L, 4L, 5L),
                catalogue.sql("select folded - 1000000 from late_fold order by folded").stream()
                        .map(row -> row.getLong(0)).toList());
    }

    @Test
    void keepsABoundedNumberOfLateFolds() {
        catalogue.sql(
                "insert into late_fold select n, fold_time(n) - interval '1 hour' from generate_series(1, 10000) n");
        catalogue.sql("select record_late_fold(20000, fold_time(20000) - interval '1 minute')");
        Row row = catalogue
                .sql("select count(*), min(folded), max(folded), min(oldest) = fold_time(1) - interval '1 hour'"
                        + " from late_fold")
                .get(0);
        assertEquals(10_000, row.getLong(0));
        assertEquals(2, row.getLong(1));
        assertEquals(20_000, row.getLong(2));
        assertTrue(row.getBoolean(3), "the oldest change still counts");
        catalogue.sql("delete from late_fold");
    }
}
