package io.datasetlisting.dataset.format;

import java.util.ArrayList;
import java.util.List;

/** Reads CSV strictly by RFC 4180, and fails on any other text. */
final class CsvReader {

    private final String csv;
    private int at;

    private CsvReader(String csv) {
        this.csv = csv;
    }

    static List<List<String>> read(String csv) {
        CsvReader reader = new CsvReader(csv);
        List<List<String>> records = new ArrayList<>();
        while (reader.at < csv.length()) {
            records.add(reader.record());
        }
        return records;
    }

    private List<String> record() {
        List<String> cells = new ArrayList<>();
        do {
            cells.add(csv.startsWith("\"", at) ? quoted() : plain());
        } while (skip(","));
        if (!skip("\r\n")) {
            throw new AssertionError("no line end after the record at " + at + " of " + csv);
        }
        return cells;
    }

    private String quoted() {
        StringBuilder cell = new StringBuilder();
        at++;
        while (true) {
            int quote = csv.indexOf('"', at);
            if (quote < 0) {
                throw new AssertionError("no closing quote of the cell at " + at + " of " + csv);
            }
            cell.append(csv, at, quote);
            at = quote + 1;
            if (!skip("\"")) {
                return cell.toString();
            }
            cell.append('"');
        }
    }

    private String plain() {
        int start = at;
        while (at < csv.length() && "\",\r\n".indexOf(csv.charAt(at)) < 0) {
            at++;
        }
        return csv.substring(start, at);
    }

    private boolean skip(String expected) {
        boolean matches = csv.startsWith(expected, at);
        at += matches ? expected.length() : 0;
        return matches;
    }
}
