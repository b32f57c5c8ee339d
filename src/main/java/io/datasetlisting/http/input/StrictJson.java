package io.datasetlisting.http.input;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.BlankText;

/** Parses JSON from clients strictly, to a limited depth, and without rounding numbers. */
public final class StrictJson {

    private static final int MAX_DEPTH = 32;

    /** For JSON that the service has written itself. */
    private static final JsonMapper STRICT = mapper(MAX_DEPTH, Long.MAX_VALUE);

    /**
     * Largest number of braces, brackets, names and values in the JSON of a client. The vertices that a search may
     * have are 20,000 tokens, the bands of a dataset 7,000. A token may be shorter than two bytes, and takes fifty
     * bytes in memory, so the size of a body is no sufficient limit.
     */
    private static final int MAX_TOKENS = 50_000;

    private static final JsonMapper FIELDS = mapper(MAX_DEPTH, MAX_TOKENS);

    /**
     * For filters, whose conditions are nested. Each level of a filter is an object and an array. A repeated member is an error.
     */
    private static final JsonMapper DEEP = mapper(600, MAX_TOKENS).rebuild()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    /** Tokens of 1,000 items: a whole item with its links and assets has 200. Only a few threads parse such bodies. */
    private static final int MAX_ITEM_TOKENS = 250_000;

    /** For an item, which is mostly flat. A repeated member is an error. */
    private static final JsonMapper ITEM = FIELDS.rebuild().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final JsonMapper ITEMS = mapper(MAX_DEPTH, MAX_ITEM_TOKENS).rebuild()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    /** Also reads lists and dictionaries as Python's {@code str()} writes them. */
    private static final JsonMapper PYTHON = FIELDS.rebuild()
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES.mappedFeature())
            .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER.mappedFeature())
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA.mappedFeature())
            .build();

    /** Largest number of characters of a number. No double or long needs more. */
    private static final int MAX_NUMBER_LENGTH = 400;
    /** A number with more digits, or with a larger exponent, is rounded to a double. */
    private static final int MAX_DIGITS = 40;
    private static final int MAX_MESSAGE = 1_000;

    /** The parts of the parser's messages that describe its settings, which do not concern clients. */
    private static final Pattern PARSER_HINTS = Pattern
            .compile(", from `[^`]*`|: enable .*|: maybe a .*| \\(start marker .*| \\(bound as .*");

    private StrictJson() {
    }

    /** The lengths of texts, names and numbers are limited by the size of the body, and numbers also by the parser's default. */
    private static JsonMapper mapper(int maxDepth, long maxTokens) {
        StreamReadConstraints constraints = StreamReadConstraints.builder().maxNestingDepth(maxDepth)
                .maxTokenCount(maxTokens).build();
        return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(constraints).build())
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .build();
    }

    /**
     * Parses a JSON text.
     *
     * @param from
     *            index of the first byte
     * @param to
     *            index after the last byte
     *
     * @throws ApiException
     *             400 with the position of the error, or if the bytes are not UTF-8
     */
    public static JsonNode parse(byte[] utf8, int from, int to) {
        return parse(decodeUtf8(utf8, from, to));
    }

    /**
     * Parses the JSON of a dataset, account or token from a client.
     *
     * @param from
     *            index of the first byte
     * @param to
     *            index after the last byte
     *
     * @throws ApiException
     *             400 with the position of the error, or if the bytes are not UTF-8
     */
    static JsonNode parseFields(byte[] utf8, int from, int to) {
        return parse(FIELDS, decodeUtf8(utf8, from, to));
    }

    /**
     * Parses a JSON text.
     *
     * @throws ApiException
     *             400 with the position of the error
     */
    public static JsonNode parse(String text) {
        return parse(STRICT, text);
    }

    /**
     * Parses a JSON text that may contain a nested filter.
     *
     * @throws ApiException
     *             400 with the position of the error
     */
    public static JsonNode parseDeep(String text) {
        return parse(DEEP, text);
    }

    /**
     * Parses a JSON text that may contain a nested filter.
     *
     * @throws ApiException
     *             400 with the position of the error, or if the bytes are not UTF-8
     */
    public static JsonNode parseDeep(byte[] utf8) {
        return parseDeep(decodeUtf8(utf8, 0, utf8.length));
    }

    /**
     * Parses an item from a client.
     *
     * @param mayBeMany
     *            whether the text may be a collection of items
     *
     * @throws ApiException
     *             400 with the position of the error, or if the bytes are not UTF-8
     */
    static JsonNode parseItem(byte[] utf8, boolean mayBeMany) {
        return parse(mayBeMany ? ITEMS : ITEM, decodeUtf8(utf8, 0, utf8.length));
    }

    private static JsonNode parse(JsonMapper mapper, String text) {
        try {
            JsonNode json = mapper.readTree(text);
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
     *             400 if the bytes are not UTF-8
     */
    public static String decodeUtf8(byte[] utf8, int from, int to) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8, from, to - from)).toString();
        } catch (CharacterCodingException e) {
            throw notUtf8();
        }
    }

    static ApiException notUtf8() {
        return new ApiException(400, "Malformed request: the body is not UTF-8.");
    }

    /** Parses a list or dictionary in a form, as JSON or Python writes it. Null if the text is neither. */
    static JsonNode parseLiteral(String text) {
        boolean tuple = text.startsWith("(") && text.endsWith(")");
        try {
            return PYTHON.readTree(tuple ? '[' + text.substring(1, text.length() - 1) + ']' : text);
        } catch (JsonProcessingException | NumberFormatException e) {
            return null;
        }
    }

    /**
     * The number of a JSON number, or of a text that contains one. Null if there is no number, or if it is outside the range of a
     * double. A number with very many digits or a very large exponent is rounded to a double, because PostgreSQL would write all
     * of its digits.
     */
    public static BigDecimal number(JsonNode value) {
        if (!value.isNumber() && !value.isTextual()) {
            return null;
        }
        String text = BlankText.strip(value.asText());
        try {
            BigDecimal number = text.length() > MAX_NUMBER_LENGTH ? null : new BigDecimal(text);
            double rounded = number == null ? Double.NaN : number.doubleValue();
            // A number that is rounded to zero as a double loses its value.
            if (!Double.isFinite(rounded) || number.signum() != 0 && rounded == 0) {
                return null;
            }
            boolean hasManyDigits = number.precision() > MAX_DIGITS || Math.abs((long) number.scale()) > MAX_DIGITS;
            return hasManyDigits ? BigDecimal.valueOf(rounded).stripTrailingZeros() : number;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The first surrogate in the text that is not part of a pair, or -1. */
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

    /** The name of the Python type of a JSON value. */
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
        // A repeated name, which the message contains, may be long.
        String cut = message.length() > MAX_MESSAGE
                ? message.substring(0, message.offsetByCodePoints(0, MAX_MESSAGE / 2)) + "..."
                : message;
        return new ApiException(400, "JSON parse error - " + PARSER_HINTS.matcher(cut).replaceAll("") + where);
    }
}
