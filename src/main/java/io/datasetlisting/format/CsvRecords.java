package io.datasetlisting.format;

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
 * Text that a spreadsheet would take for a <a href="https://owasp.org/www-community/attacks/CSV_Injection">formula</a>
 * gets an apostrophe in front, which spreadsheets read as "this is text". Only numbers may begin with a sign.
 */
final class CsvRecords {

    static final String LINE_END = "\r\n";

    private static final String BEGINS_FORMULA = "=+-@\t\r";

    private final JsonFactory factory;
    private final StringBuilder csv = new StringBuilder();
    private int recordStart;
    private int cells;

    /**
     * @param factory
     *            of the JSON inside of cells
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
        boolean isFormula = !text.isEmpty() && BEGINS_FORMULA.indexOf(text.charAt(0)) >= 0;
        cell(isFormula ? '\'' + text : text);
    }

    /** A number or a boolean, which needs no quotes. */
    void literal(Object value) {
        next();
        csv.append(value);
    }

    /** A cell of JSON text. */
    void json(Json value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = factory.createGenerator(text)) {
            value.write(generator);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cell(text.toString());
    }

    /** Ends a record. */
    void end() {
        if (csv.length() == recordStart) {
            // Many readers skip an empty line, where one empty cell is meant.
            csv.append("\"\"");
        }
        csv.append(LINE_END);
        recordStart = csv.length();
        cells = 0;
    }

    byte[] bytes() {
        return csv.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void next() {
        if (cells++ > 0) {
            csv.append(',');
        }
    }

    private void cell(String text) {
        next();
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
        // RFC 4180 keeps space at the ends, but not every reader does.
        return text.startsWith(" ") || text.endsWith(" ");
    }
}
