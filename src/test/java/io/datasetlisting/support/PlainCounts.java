package io.datasetlisting.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.datasetlisting.catalogue.tile.TileModel;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Compares all counts of a running service with plain SQL: pages, facets, the histogram, the grid, aggregations and tiles.
 * Nothing may change the datasets meanwhile.
 */
public final class PlainCounts {

    private static final String WEST = "case cardinality(bbox) when 4 then bbox[2] else coordinates[2] end";
    private static final String EAST = "case cardinality(bbox) when 4 then bbox[4] else coordinates[2] end";
    private static final String SOUTH = "case cardinality(bbox) when 4 then bbox[1] else coordinates[1] end";
    private static final String NORTH = "case cardinality(bbox) when 4 then bbox[3] else coordinates[1] end";
    /** The side of the cells of a grid of the world. */
    private static final double SIDE = 22.5;

    private static final List<Question> QUESTIONS = List.of(new Question("", "", "true"),
            new Question("category=Forest", "\"dataset:category\" = 'Forest'", "'Forest' = any (category)"),
            new Question("available_rasters=dsm,dtm&is_shareable=true",
                    "\"dataset:rasters\" in ('dsm', 'dtm') and \"dataset:is_shareable\" = true",
                    "available_rasters && array['dsm', 'dtm'] and is_shareable"),
            new Question("captured_after=2020-01-01&category=Desert,Rocky",
                    "datetime >= timestamp('2020-01-01T00:00:00Z') and \"dataset:category\" in ('Desert', 'Rocky')",
                    "captured_date >= '2020-01-01T00:00:00Z' and category && array['Desert', 'Rocky']"),
            new Question("band=nir", "\"dataset:bands\" = 'nir'",
                    "jsonb_exists(band_stats #> '{multispec_ortho,band_descr}', 'nir')"),
            new Question("in_bbox=-20,-40,60,50", "s_intersects(geometry, bbox(-20, -40, 60, 50))",
                    "%s <= 60 and %s >= -20 and %s <= 50 and %s >= -40".formatted(WEST, EAST, SOUTH, NORTH)));

    /** The same condition in the words of both interfaces, and in SQL. */
    private record Question(String listing, String cql2, String sql) {

        /** The condition without the one on a property, as the facet of this property has it. */
        boolean hasNo(String parameter) {
            return !listing.contains(parameter);
        }
    }

    /** Opens a connection to the database of the service. */
    @FunctionalInterface
    public interface Database {

        Connection connect() throws SQLException;

        /** The database {@code postgres} of a server of a test, or another one. */
        static Database of(int port, String name) {
            return () -> DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + '/' + name, "postgres",
                    "postgres");
        }
    }

    private final Database database;
    private final Api api;
    private final String seen;

    private PlainCounts(Database database, Api api, String seen) {
        this.database = database;
        this.api = api;
        this.seen = "not is_deleted and coordinates is not null and " + seen;
    }

    /** Compares for an anonymous caller. */
    public static void compare(Database database, Api anonymous) throws SQLException {
        new PlainCounts(database, anonymous, "not is_private").compareAll();
    }

    /** Compares for an anonymous caller and for an admin. */
    public static void compare(Database database, Api anonymous, Api admin) throws SQLException {
        compare(database, anonymous);
        new PlainCounts(database, admin, "true").compareAll();
    }

    private void compareAll() throws SQLException {
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            for (Question question : QUESTIONS) {
                compare(question, statement);
            }
        }
    }

    private void compare(Question question, Statement statement) throws SQLException {
        String from = " from dataset where " + seen + " and " + question.sql;
        String what = (api.token() == null ? "anonymous: " : "admin: ") + question.listing;
        long count = counts(statement, "select 'all', count(*)" + from).getOrDefault("all", 0L);
        assertEquals(count, api.json("/api/dataset/?x=1&" + question.listing).getLong("count"), what);
        JsonObject facets = api.json("/api/dataset/facets/?" + question.listing);
        assertEquals(count, facets.getLong("count"), what);
        Map<String, Long> categories = counts(statement, "select each, count(*)"
                + from.replace(" where", ", lateral (select distinct unnest(category) as each) one where")
                + " group by each");
        if (question.hasNo("category")) {
            assertEquals(categories, choices(facets, "category"), what);
        }
        Map<String, Long> years = counts(statement,
                "select to_char(captured_date at time zone 'UTC', 'YYYY') as year, count(*)" + from + " group by year");
        if (question.hasNo("captured")) {
            assertEquals(years, choices(facets, "year"), what);
        }
        Map<String, Long> buckets = new TreeMap<>();
        api.json("/api/dataset/histogram/?" + question.listing).getJsonArray("buckets").stream()
                .map(JsonObject.class::cast)
                .forEach(bucket -> add(buckets, bucket.getString("from").substring(0, 4), bucket.getLong("count")));
        assertEquals(years, buckets, what);
        compareMap(question, statement, from, count, what);
        compareAggregations(question, count, categories, what);
    }

    private void compareMap(Question question, Statement statement, String from, long count, String what)
            throws SQLException {
        JsonObject grid = api.json("/datasets/grid/?" + question.listing);
        assertEquals(count, grid.getLong("count"), what);
        if (question.hasNo("in_bbox")) {
            Map<String, Long> cells = new TreeMap<>();
            grid.getJsonArray("cells").stream().map(JsonObject.class::cast).forEach(cell -> add(cells,
                    (int) ((cell.getJsonArray("bbox").getDouble(0) + 180) / SIDE) + " "
                            + (int) ((cell.getJsonArray("bbox").getDouble(1) + 90) / SIDE),
                    cell.getLong("count")));
            assertEquals(counts(statement, """
                    select least(floor(((%s + %s) / 2 + 180) / 22.5), 15) || ' '
                        || least(floor(((%s + %s) / 2 + 90) / 22.5), 7) as cell, count(*)%s group by cell"""
                    .formatted(WEST, EAST, SOUTH, NORTH, from)), cells, what);
        }
        long ofTiles = 0;
        for (String tile : List.of("0/0", "0/1", "1/0", "1/1")) {
            HttpResponse<byte[]> response = api.bytes("/tiles/1/" + tile + ".mvt?" + question.listing);
            assertEquals(200, response.statusCode(), what);
            ofTiles += TileModel.count(response.body());
        }
        assertEquals(count, ofTiles, what);
    }

    private void compareAggregations(Question question, long count, Map<String, Long> categories, String what) {
        JsonArray aggregations = api.json("/stac/aggregate?aggregations=total_count,dataset_category_frequency"
                + (question.cql2.isEmpty()
                        ? ""
                        : "&filter=" + Listing.encoded(question.cql2)))
                .getJsonArray("aggregations");
        assertEquals(count, aggregations.getJsonObject(0).getLong("value"), what);
        Map<String, Long> frequencies = new TreeMap<>();
        aggregations.getJsonObject(1).getJsonArray("buckets").stream().map(JsonObject.class::cast)
                .forEach(bucket -> add(frequencies, bucket.getString("key"), bucket.getLong("frequency")));
        assertEquals(categories, frequencies, what);
    }

    private static Map<String, Long> choices(JsonObject facets, String facet) {
        Map<String, Long> choices = new TreeMap<>();
        facets.getJsonObject("facets").getJsonArray(facet).stream().map(JsonObject.class::cast)
                .forEach(choice -> add(choices, choice.getString("value"), choice.getLong("count")));
        return choices;
    }

    /** Without empty ones. */
    private static void add(Map<String, Long> counts, String key, long count) {
        if (count > 0) {
            counts.put(key, count);
        }
    }

    private static Map<String, Long> counts(Statement statement, String sql) throws SQLException {
        Map<String, Long> counts = new TreeMap<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                add(counts, rows.getString(1), rows.getLong(2));
            }
        }
        return counts;
    }
}
