package io.datasetlisting.dataset.format;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

/**
 * Builds records of <a href="https://www.rfc-editor.org/rfc/rfc4180">RFC 4180</a>, cell by cell.
 *
 * <p>
 * Text that a spreadsheet would read as a <a href="https://owasp.org/www-community/attacks/CSV_Injection">formula</a>
 * gets an apostrophe in front, which spreadsheets read as "this is text". Only numbers may begin with a sign. A spreadsheet
 * lets its user choose the separators, and sees the quotes around a cell only where it sees the start of the cell. To such a
 * spreadsheet a cell also begins behind each comma, semicolon, vertical bar and tab, and behind each line end.
 */
final class CsvRecords {

    static final String LINE_END = "\r\n";

    private static final String BEGINS_FORMULA = "=+-@";
    private static final String BEGINS_CELL = ",;|\t\r\n";
    /** Spreadsheets remove spaces and quotes at the start of a cell. A reader must tell apostrophes of the text from ours. */
    private static final String BEFORE_FORMULA = " '\"";

    private final JsonFactory factory;
    private final StringBuilder csv = new StringBuilder();
    private int recordStart;
    private int cells;

    /**
     * @param factory
     *            writes the JSON of cells
     */
    CsvRecords(JsonFactory factory) {
        this.factory = factory;
    }

    /** Writes a value as JSON. */
    interface Json {

        void write(JsonGenerator json) throws IOException;
    }

    /** A cell of text, or the empty cell for null. */
    void text(Object value) {
        String text = value == null ? "" : value.toString();
        for (int i = text.length() - 1; i >= 0; i--) {
            if ((i == 0 || BEGINS_CELL.indexOf(text.charAt(i - 1)) >= 0) && isFormula(text, i)) {
                text = text.substring(0, i) + '\'' + text.substring(i);
            }
        }
        cell(text);
    }

    private static boolean isFormula(String text, int from) {
        int start = from;
        while (start < text.length() && BEFORE_FORMULA.indexOf(text.charAt(start)) >= 0) {
            start++;
        }
        return start < text.length() && BEGINS_FORMULA.indexOf(text.charAt(start)) >= 0;
    }

    /** A number or a boolean, which needs no quotes. */
    void literal(Object value) {
        startCell();
        csv.append(value);
    }

    /**
     * A cell of JSON text. A separator in a text is written as the escape that means the same, where a cell could begin behind
     * it.
     */
    void json(Json value) {
        cell(withoutSeparators(text(factory, value)));
    }

    static String text(JsonFactory factory, Json value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = factory.createGenerator(text)) {
            value.write(generator);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** The JSON without semicolons, without vertical bars, and without commas of a text that a formula follows. */
    private static String withoutSeparators(String json) {
        StringBuilder guarded = new StringBuilder(json.length() + 16);
        boolean inText = false;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == '\\') {
                guarded.append(c).append(json.charAt(++i));
            } else if (inText && (c == ';' || c == '|' || c == ',' && isFormula(json, i + 1))) {
                guarded.append("\\u00").append(Integer.toHexString(c));
            } else {
                inText ^= c == '"';
                guarded.append(c);
            }
        }
        return guarded.toString();
    }

    /** Ends a record. */
    void end() {
        if (csv.length() == recordStart) {
            // Without quotes, a record of one empty cell is an empty line, which many readers skip.
            csv.append("\"\"");
        }
        csv.append(LINE_END);
        recordStart = csv.length();
        cells = 0;
    }

    byte[] bytes() {
        return csv.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void startCell() {
        if (cells++ > 0) {
            csv.append(',');
        }
    }

    private void cell(String text) {
        startCell();
        if (needsQuotes(text)) {
            csv.append('"').append(text.replace("\"", "\"\"")).append('"');
        } else {
            csv.append(text);
        }
    }

    private static boolean needsQuotes(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ',' || c == '"' || c == '\r' || c == '\n') {
                return true;
            }
        }
        // RFC 4180 keeps outer spaces, but not every reader does.
        return text.startsWith(" ") || text.endsWith(" ");
    }
}
