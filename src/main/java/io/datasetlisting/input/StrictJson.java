package io.datasetlisting.input;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import io.datasetlisting.http.ApiException;

/** Reads JSON from clients: strictly, to a small depth, and with every digit of its numbers. */
public final class StrictJson {

    private static final StreamReadConstraints SHALLOW = StreamReadConstraints.builder().maxNestingDepth(32).build();

    private static final JsonMapper STRICT = JsonMapper
            .builder(JsonFactory.builder().streamReadConstraints(SHALLOW).build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** Reads what Python's {@code str()} makes of lists and dictionaries, too. */
    private static final JsonMapper PYTHON = STRICT.rebuild()
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES.mappedFeature())
            .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER.mappedFeature())
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA.mappedFeature())
            .build();

    /** More digits than any double or long needs are not worth a look. */
    private static final int MAX_NUMBER_LENGTH = 400;
    private static final int MAX_DIGITS = 40;

    /** Where the parser's messages go on about its own settings. */
    private static final Pattern FOR_PROGRAMMERS = Pattern
            .compile(", from `[^`]*`|: enable .*|: maybe a .*| \\(start marker .*| \\(bound as .*");

    private StrictJson() {
    }

    /**
     * @throws ApiException
     *             400 that says where the text is no JSON
     */
    public static JsonNode parse(byte[] utf8, int from, int to) {
        return parse(text(utf8, from, to));
    }

    /**
     * @throws ApiException
     *             400 that says where the text is no JSON
     */
    public static JsonNode parse(String text) {
        try {
            JsonNode json = STRICT.readTree(text);
            if (json.isMissingNode()) {
                throw parseError("Expected a value", null);
            }
            return json;
        } catch (JsonProcessingException e) {
            throw parseError(e.getOriginalMessage(), e.getLocation());
        } catch (NumberFormatException e) {
            throw parseError("A number is out of range", null);
        }
    }

    /**
     * @throws ApiException
     *             400 when the bytes are not UTF-8
     */
    static String text(byte[] utf8, int from, int to) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8, from, to - from)).toString();
        } catch (CharacterCodingException e) {
            throw notUtf8();
        }
    }

    static ApiException notUtf8() {
        return new ApiException(400, "Malformed request: the body is not UTF-8.");
    }

    /** The list or dictionary that a form's text stands for, written as JSON or by Python; null when it is neither. */
    static JsonNode parseLiteral(String text) {
        boolean tuple = text.startsWith("(") && text.endsWith(")");
        try {
            return PYTHON.readTree(tuple ? '[' + text.substring(1, text.length() - 1) + ']' : text);
        } catch (JsonProcessingException | NumberFormatException e) {
            return null;
        }
    }

    /**
     * The number that a JSON number, or a text, stands for; null when it is none or beyond the range of a double. One
     * that PostgreSQL would write out in very many digits is rounded to the double that every JSON reader makes of it.
     */
    public static BigDecimal number(JsonNode value) {
        if (!value.isNumber() && !value.isTextual()) {
            return null;
        }
        String text = value.asText().strip();
        try {
            BigDecimal number = text.length() > MAX_NUMBER_LENGTH ? null : new BigDecimal(text);
            double rounded = number == null ? Double.NaN : number.doubleValue();
            // Nor does what a double rounds to nothing keep its value.
            if (!Double.isFinite(rounded) || number.signum() != 0 && rounded == 0) {
                return null;
            }
            boolean isLong = number.precision() > MAX_DIGITS || Math.abs((long) number.scale()) > MAX_DIGITS;
            return isLong ? BigDecimal.valueOf(rounded).stripTrailingZeros() : number;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** A code unit that is half a character, or -1 where there is none. */
    public static int loneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return c;
            }
        }
        return -1;
    }

    /** What Python calls the type of a JSON value. */
    public static String pythonType(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "dict";
            case ARRAY -> "list";
            case STRING -> "str";
            case BOOLEAN -> "bool";
            case NUMBER -> value.isIntegralNumber() ? "int" : "float";
            default -> "NoneType";
        };
    }

    private static ApiException parseError(String message, JsonLocation location) {
        String where = location == null
                ? ""
                : ": line " + location.getLineNr() + " column " + location.getColumnNr();
        return new ApiException(400, "JSON parse error - " + FOR_PROGRAMMERS.matcher(message).replaceAll("") + where);
    }
}
