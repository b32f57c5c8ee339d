package io.datasetlisting.http.input;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.BlankText;
import io.datasetlisting.base.IsoInstant;

/**
 * Reads and checks the fields of a request with the rules and messages of the serializers of Django REST Framework.
 *
 * <p>
 * The value of an invalid field is null, and its message is collected. {@link #check()} fails with the messages of all fields.
 */
public final class DrfFields {

    /** The largest integer that every JSON parser reads exactly, also one that reads numbers as double. */
    public static final long MAX_INTEGER = (1L << 53) - 1;

    private static final String NOT_NULL = "This field may not be null.";
    private static final Set<String> TRUE = Set.of("true", "t", "yes", "y", "on", "1");
    private static final Set<String> FALSE = Set.of("false", "f", "no", "n", "off", "0");
    private static final int MAX_ECHO = 100;
    /** PostgreSQL's index of boxes fails if the product of two differences of numbers is too small for a double. */
    private static final double SMALLEST = 1e-100;
    /** A list of distinct texts has at most so many elements for each text, so that there are not too many errors. */
    private static final int MAX_REPEATS = 10;

    private final ObjectNode values;
    private final boolean form;
    private final ObjectNode errors = JsonNodeFactory.instance.objectNode();

    /**
     * @param values
     *            the value of each field, by name
     * @param form
     *            whether the values are those of a form: the value of each field is the array of the texts with its name
     */
    DrfFields(ObjectNode values, boolean form) {
        this.values = values;
        this.form = form;
    }

    /**
     * Parses the fields of a JSON object.
     *
     * @param from
     *            index of the first byte
     * @param to
     *            index after the last byte
     *
     * @throws ApiException
     *             400 if the bytes are not a JSON object
     */
    public static DrfFields parse(byte[] utf8, int from, int to) {
        JsonNode json = StrictJson.parseFields(utf8, from, to);
        if (json instanceof ObjectNode object) {
            return new DrfFields(object, false);
        }
        throw invalid("non_field_errors", json.isNull()
                ? "No data provided"
                : "Invalid data. Expected a dictionary, but got " + StrictJson.pythonType(json) + ".");
    }

    /** The members of a JSON object that the service has made of a request in another form. */
    public static DrfFields of(ObjectNode values) {
        return new DrfFields(values, false);
    }

    /** The parameters of a query, with the rules of form fields. */
    public static DrfFields of(QueryString query) {
        ObjectNode values = JsonNodeFactory.instance.objectNode();
        query.forEach((name, value) -> FormValues.add(values, name, value));
        return new DrfFields(values, true);
    }

    /** Whether the field exists. A form field that is empty, {@code None} or {@code null} does not exist. Not for texts. */
    public boolean has(String name) {
        if (!form) {
            return values.has(name);
        }
        return !FormValues.isBlank(FormValues.last(values.path(name)));
    }

    /** Whether the field exists, where an empty form field counts as an empty text. */
    public boolean hasText(String name) {
        return values.has(name);
    }

    /** Whether a form field is an empty list as Python writes it, which means the same as an empty field. */
    public boolean isEmptyFormList(String name) {
        return form && BlankText.strip(FormValues.last(values.path(name))).equals("[]");
    }

    /** Whether the field has no value: it is null, or, in a form, empty, {@code None} or {@code null}. */
    public boolean isBlank(String name) {
        return form ? FormValues.isBlank(FormValues.last(values.path(name))) : isNull(name);
    }

    /** Whether the field exists and is null. */
    public boolean isNull(String name) {
        return !form && values.path(name).isNull();
    }

    /**
     * A text without leading and trailing white space.
     *
     * @param maxLength
     *            in characters (code points)
     */
    public String text(String name, int maxLength) {
        return text(name, maxLength, true);
    }

    /**
     * A text with its white space.
     *
     * @param maxLength
     *            in characters (code points)
     */
    public String verbatim(String name, int maxLength) {
        return text(name, maxLength, false);
    }

    /**
     * The words of a search in a form: the last text that is not white space. {@code null} and {@code None} are words. Null
     * without words.
     *
     * @param maxLength
     *            in characters (code points)
     */
    public String words(String name, int maxLength) {
        String words = FormValues.lastFilled(values.path(name));
        return words == null ? null : text(name, JsonNodeFactory.instance.textNode(words), maxLength, true);
    }

    private String text(String name, int maxLength, boolean stripped) {
        return text(name, value(name), maxLength, stripped);
    }

    private String text(String name, JsonNode value, int maxLength, boolean stripped) {
        if (value.isNull()) {
            return refuse(name, NOT_NULL);
        }
        if (!value.isTextual() && !value.isNumber()) {
            return refuse(name, "Not a valid string.");
        }
        String text = stripped ? BlankText.strip(value.asText()) : value.asText();
        String problem = problem(text, maxLength);
        return problem == null ? text : refuse(name, problem);
    }

    /** Why a text cannot be stored; null if it can. */
    private static String problem(String text, int maxLength) {
        if (text.indexOf('\0') >= 0) {
            return "Null characters are not allowed.";
        }
        int surrogate = StrictJson.loneSurrogate(text);
        if (surrogate >= 0) {
            return String.format("Surrogate characters are not allowed: U+%X.", surrogate);
        }
        return text.codePointCount(0, text.length()) > maxLength
                ? "Ensure this field has no more than " + maxLength + " characters."
                : null;
    }

    /**
     * A boolean: {@code true}, {@code t}, {@code yes}, {@code y}, {@code on}, {@code 1} or their opposites, in upper or lower
     * case.
     */
    public Boolean bool(String name) {
        JsonNode value = value(name);
        if (value.isNull()) {
            return refuse(name, NOT_NULL);
        }
        String text = value.isContainerNode() ? "" : BlankText.strip(value.asText()).toLowerCase(Locale.ROOT);
        if (TRUE.contains(text)) {
            return true;
        }
        return FALSE.contains(text) ? false : refuse(name, "Must be a valid boolean.");
    }

    /** An integer from {@code min} to {@link #MAX_INTEGER}. */
    public Long integer(String name, long min) {
        JsonNode value = value(name);
        if (value.isNull()) {
            return refuse(name, NOT_NULL);
        }
        BigDecimal number = StrictJson.number(value);
        String problem = problem(number, min);
        return problem == null ? Long.valueOf(number.longValueExact()) : refuse(name, problem);
    }

    /** Why a number is no integer from {@code min} to {@link #MAX_INTEGER}; null if it is one. */
    private static String problem(BigDecimal number, long min) {
        if (number == null || number.stripTrailingZeros().scale() > 0) {
            return "A valid integer is required.";
        }
        if (number.compareTo(BigDecimal.valueOf(min)) < 0) {
            return "Ensure this value is greater than or equal to " + min + ".";
        }
        return number.compareTo(BigDecimal.valueOf(MAX_INTEGER)) > 0
                ? "Ensure this value is less than or equal to " + MAX_INTEGER + "."
                : null;
    }

    /**
     * A list of distinct integers from 0 to {@link #MAX_INTEGER}, in ascending order.
     *
     * @param max
     *            largest number of elements; there is at least one
     */
    public Long[] integers(String name, int max) {
        ArrayNode items = listItems(name, max);
        if (items == null) {
            return null;
        }
        if (items.isEmpty()) {
            return refuse(name, "This list may not be empty.");
        }
        SortedSet<Long> integers = new TreeSet<>();
        for (int i = 0; i < items.size(); i++) {
            BigDecimal number = StrictJson.number(items.get(i));
            String problem = problem(number, 0);
            if (problem != null) {
                refuse(name, i, problem);
            } else {
                integers.add(number.longValueExact());
            }
        }
        return errors.has(name) ? null : integers.toArray(Long[]::new);
    }

    /** A finite number. */
    public Double number(String name) {
        BigDecimal number = StrictJson.number(value(name));
        return number == null ? refuse(name, "A valid number is required.") : (Double) number.doubleValue();
    }

    /** An ISO 8601 date with or without a time, see {@link IsoInstant#parse}. Fractions of a second are dropped. */
    public Instant instant(String name) {
        Instant instant = exactInstant(name);
        return instant == null ? null : instant.truncatedTo(ChronoUnit.SECONDS);
    }

    /** An ISO 8601 date with or without a time, with its fraction of a second. */
    public Instant exactInstant(String name) {
        JsonNode value = value(name);
        if (value.isNull()) {
            return refuse(name, NOT_NULL);
        }
        Instant instant = value.isTextual() ? IsoInstant.parse(BlankText.strip(value.textValue())) : null;
        return instant == null
                ? refuse(name, "Datetime has wrong format. Use one of these formats instead: "
                        + "YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].")
                : instant;
    }

    /** One of the given texts. */
    public String choice(String name, List<String> choices) {
        JsonNode value = value(name);
        if (value.isNull()) {
            return refuse(name, NOT_NULL);
        }
        return value.isTextual() && choices.contains(value.textValue())
                ? value.textValue()
                : refuse(name, notAChoice(value.asText()));
    }

    /**
     * A list of some of the given texts. A form may repeat the field, or send one text, a comma-separated list, or a list as JSON
     * or Python writes it.
     */
    public String[] choices(String name, List<String> choices, boolean mayBeEmpty) {
        ArrayNode items = listItems(name, choices.size());
        if (items == null) {
            return null;
        }
        if (items.isEmpty() && !mayBeEmpty) {
            return refuse(name, "This list may not be empty.");
        }
        String[] texts = new String[items.size()];
        for (int i = 0; i < texts.length; i++) {
            JsonNode item = items.get(i);
            texts[i] = item.asText();
            if (!item.isTextual() || !choices.contains(texts[i])) {
                refuse(name, i, item.isContainerNode() ? "Not a valid string." : notAChoice(item.asText()));
            }
        }
        return errors.has(name) ? null : texts;
    }

    /**
     * The distinct texts of a list, in the order of their first appearance, without the space around them; blank texts are left
     * out. A form may send the list as in {@link #choices}, and so may a text in JSON.
     *
     * @param maxLength
     *            of a text, in characters (code points)
     */
    public String[] tags(String name, int max, int maxLength) {
        JsonNode value = values.path(name);
        JsonNode list = form
                ? FormValues.items(value)
                : value.isTextual() ? FormValues.items(JsonNodeFactory.instance.arrayNode().add(value)) : value;
        if (!list.isArray()) {
            return refuse(name, notAList(list));
        }
        if (list.size() > MAX_REPEATS * max) {
            return refuse(name, tooMany(max));
        }
        Set<String> texts = new LinkedHashSet<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode item = list.get(i);
            String text = BlankText.strip(item.asText());
            String problem = item.isTextual() || item.isNumber() ? problem(text, maxLength) : "Not a valid string.";
            if (problem != null) {
                refuse(name, i, problem);
            } else if (!BlankText.isBlank(text)) {
                texts.add(text);
            }
        }
        if (errors.has(name)) {
            return null;
        }
        return texts.size() > max ? refuse(name, tooMany(max)) : texts.toArray(String[]::new);
    }

    /**
     * The distinct texts of a form field that may be repeated, comma-separated or both, in the order of their first appearance.
     * Empty if the field does not exist.
     *
     * @param max
     *            largest number of texts
     */
    public List<String> texts(String name, int max) {
        List<String> texts = FormValues.splitTexts(values.path(name));
        if (texts.stream().anyMatch(text -> text.indexOf('\0') >= 0)) {
            refuse(name, "Null characters are not allowed.");
        } else if (texts.size() > max) {
            refuse(name, tooMany(max));
        }
        return texts;
    }

    /**
     * A list of numbers: either empty, or one number for each bound. A number very close to zero is zero.
     *
     * @param bounds
     *            largest absolute value of each number
     */
    public double[] numbers(String name, double... bounds) {
        ArrayNode items = listItems(name, bounds.length);
        if (items == null) {
            return null;
        }
        if (!items.isEmpty() && items.size() < bounds.length) {
            return refuse(name, "Ensure this field has at least " + bounds.length + " elements.");
        }
        double[] numbers = new double[items.size()];
        for (int i = 0; i < numbers.length; i++) {
            BigDecimal number = StrictJson.number(items.get(i));
            if (number == null) {
                refuse(name, i, "A valid number is required.");
            } else if ((numbers[i] = number.doubleValue()) < -bounds[i]) {
                refuse(name, i, "Ensure this value is greater than or equal to -" + (int) bounds[i] + ".");
            } else if (numbers[i] > bounds[i]) {
                refuse(name, i, "Ensure this value is less than or equal to " + (int) bounds[i] + ".");
            } else if (Math.abs(numbers[i]) < SMALLEST) {
                numbers[i] = 0;
            }
        }
        return errors.has(name) ? null : numbers;
    }

    /** A JSON object. A form sends it as JSON text. */
    public ObjectNode object(String name) {
        JsonNode value = value(name);
        if (form) {
            value = StrictJson.parseLiteral(value.asText());
            if (value == null) {
                return refuse(name, "Value must be valid JSON.");
            }
        }
        return value instanceof ObjectNode object
                ? object
                : refuse(name, value.isNull()
                        ? NOT_NULL
                        : "Expected a dictionary of items but got type \"" + StrictJson.pythonType(value) + "\".");
    }

    /** Collects the message of an invalid field. Returns null, the value of the field. */
    public <T> T refuse(String name, String message) {
        errors.putArray(name).add(message);
        return null;
    }

    /** Collects the messages of the parts of an invalid field. */
    public void refuse(String name, ObjectNode messages) {
        errors.set(name, messages);
    }

    private void refuse(String name, int index, String message) {
        errors.withObject("/" + name).putArray(Integer.toString(index)).add(message);
    }

    /** Collects the message of a required field that is missing. Returns null. */
    public <T> T missing(String name) {
        return refuse(name, "This field is required.");
    }

    /** 400 for one invalid field. */
    public static ApiException invalid(String name, String message) {
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        errors.putArray(name).add(message);
        return ApiException.invalid(errors);
    }

    /**
     * Checks that all fields are valid.
     *
     * @throws ApiException
     *             400 with the messages of all invalid fields
     */
    public void check() {
        if (!errors.isEmpty()) {
            throw ApiException.invalid(errors);
        }
    }

    /** The fields as the client has sent them, as JSON text. Equal fields in the same order have equal texts. */
    @Override
    public String toString() {
        return values.toString();
    }

    private JsonNode value(String name) {
        return form ? JsonNodeFactory.instance.textNode(FormValues.last(values.path(name))) : values.path(name);
    }

    private ArrayNode listItems(String name, int max) {
        JsonNode value = form ? FormValues.items(values.path(name)) : values.path(name);
        if (value.isNull()) {
            return refuse(name, NOT_NULL);
        }
        if (!(value instanceof ArrayNode items)) {
            return refuse(name, notAList(value));
        }
        return items.size() > max ? refuse(name, tooMany(max)) : items;
    }

    private static String notAList(JsonNode value) {
        return "Expected a list of items but got type \"" + StrictJson.pythonType(value) + "\".";
    }

    private static String tooMany(int max) {
        return "Ensure this field has no more than " + max + " elements.";
    }

    /** The message for a text that is not among the allowed texts. */
    public static String notAChoice(String text) {
        return '"' + (text.length() > MAX_ECHO ? text.substring(0, MAX_ECHO) + "…" : text)
                + "\" is not a valid choice.";
    }
}
