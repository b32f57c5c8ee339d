package io.datasetlisting.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import org.duckdb.DuckDBDriver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Reads a file of Parquet with DuckDB, as an analyst does. */
public final class DuckDb implements AutoCloseable {

    /** In the text of a query, the file. */
    public static final String FILE = "{file}";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final Connection connection;

    public DuckDb(byte[] parquet) {
        try {
            file = Files.write(Files.createTempFile("datasets", ".parquet"), parquet);
            connection = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A file that DuckDB writes.
     *
     * @param options
     *            of the format: {@code compression zstd} for example
     */
    public static byte[] parquet(String select, String options) {
        try (DuckDb duckDb = new DuckDb(new byte[0]); Statement statement = duckDb.connection.createStatement()) {
            statement.execute("copy (" + select + ") to '" + duckDb.file + "' (format parquet, " + options + ")");
            return Files.readAllBytes(duckDb.file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of each row. */
    public List<Object> query(String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql.replace(FILE, "'" + file + "'"))) {
            List<Object> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getObject(1));
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The rows as JSON.
     *
     * @param columns
     *            of a select list
     */
    public List<JsonNode> rows(String columns) {
        return query("select to_json(t)::varchar from (select " + columns + " from read_parquet(" + FILE + ")) t")
                .stream()
                .map(row -> {
                    try {
                        return JSON.readTree(row.toString());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }).toList();
    }

    /** The metadata of the file under a key. */
    public JsonNode metadata(String key) {
        try {
            return JSON.readTree((String) query("select decode(value) from parquet_kv_metadata(" + FILE
                    + ") where decode(key) = '" + key + "'").get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All numbers in JSON. */
    public static List<Double> numbers(JsonNode json) {
        List<Double> numbers = new ArrayList<>();
        if (json.isNumber()) {
            numbers.add(json.doubleValue());
        }
        json.forEach(inner -> numbers.addAll(numbers(inner)));
        return numbers;
    }

    /** Gives the statistics of bands the form that they have in a file. */
    public static void formStatistics(JsonNode stats) {
        if (!stats.path("dsm").has("bands")) {
            stats.forEach(raster -> {
                ObjectNode bands = JSON.createObjectNode();
                raster.properties().forEach(band -> bands.set(band.getKey(), band.getValue()));
                JsonNode labels = bands.remove("band_descr");
                ((ObjectNode) raster).removeAll().set("bands", bands);
                ((ObjectNode) raster).set("band_descr", labels);
            });
        }
    }

    /** The members of an object that are not null, with each number as a double. */
    public static Map<String, Object> members(JsonNode object) {
        Map<String, Object> plain = new LinkedHashMap<>();
        object.properties().forEach(member -> {
            JsonNode value = member.getValue();
            if (value.isObject()) {
                plain.put(member.getKey(), members(value));
            } else if (value.isNumber()) {
                plain.put(member.getKey(), value.doubleValue());
            } else if (value.isArray() && !value.isEmpty() && value.get(0).isNumber()) {
                plain.put(member.getKey(), numbers(value));
            } else if (value.isArray() && !value.isEmpty() && value.get(0).isObject()) {
                List<Object> objects = new ArrayList<>();
                value.forEach(element -> objects.add(members(element)));
                plain.put(member.getKey(), objects);
            } else if (!value.isNull()) {
                plain.put(member.getKey(), value);
            }
        });
        return plain;
    }

    @Override
    public void close() throws SQLException, IOException {
        connection.close();
        Files.delete(file);
    }
}
