package io.datasetlisting.input;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.http.ApiException;
import io.datasetlisting.http.IsoInstant;

/**
 * The fields of a request, read and checked as Django REST Framework's serializers do, with their messages.
 *
 * <p>
 * A wrong field reads as null and is remembered; {@link #check()} then answers for all of them at once.
 */
public final class DrfFields {

    /** The largest whole number that every JSON reader keeps exactly. */
    public static final long MAX_INTEGER = (1L << 53) - 1;

    private static final String NOT_NULL = "This field may not be null.";
    private static final Set<String> TRUE = Set.of("true", "t", "yes", "y", "on", "1");
    private static final Set<String> FALSE = Set.of("false", "f", "no", "n", "off", "0");
    private static final int MAX_ECHO = 100;

    private final ObjectNode values;
    private final boolean form;
    private final ObjectNode errors = JsonNodeFactory.instance.objectNode();

    /**
     * @param form
     *            whether the values are a form's: lists of the texts that came under each name
     */
    DrfFields(ObjectNode values, boolean form) {
        this.values = values;
        this.form = form;
    }

    /**
     * The fields of a JSON object.
     *
     * @throws ApiException
     *             400 where the bytes are no JSON, or no object
     */
    public static DrfFields parse(byte[] utf8, int from, int to) {
        JsonNode json = StrictJson.parse(utf8, from, to);
        if (json instanceof ObjectNode object) {
            return new DrfFields(object, false);
        }
        throw invalid("non_field_errors", json.isNull()
                ? "No data provided"
                : "Invalid data. Expected a dictionary, but got " + StrictJson.pythonType(json) + ".");
    }

    /** The parameters of a query, which are read as a form's fields are. */
    public static DrfFields of(QueryString query) {
        ObjectNode values = JsonNodeFactory.instance.objectNode();
        query.forEach((name, value) -> FormValues.add(values, name, value));
        return new DrfFields(values, true);
    }

    /** Whether there is such a field. A form's empty input, or Python's {@code None}, is none, except as a text. */
    public boolean has(String name) {
        if (!form) {
            return values.has(name);
        }
        return !FormValues.isBlank(FormValues.last(values.path(name)));
    }

    /** Whether there is such a field, which may be an empty text. */
    public boolean hasText(String name) {
        return values.has(name);
    }

    /** Whether a form sends Python's empty list, which says no more than an empty input. */
    public boolean isEmptyFormList(String name) {
        return form && FormValues.last(values.path(name)).strip().equals("[]");
    }

    /** Whether the field is there and null. */
    public boolean isNull(String name) {
        return !form && values.path(name).isNull();
    }

    /**
     * A text without the space around it.
     *
     * @param maxLength
     *            in characters (code points)
     */
    public String text(String name, int maxLength) {
        return text(name, maxLength, true);
    }

    /**
     * A text as it is.
     *
     * @param maxLength
     *            in characters (code points)
     */
    public String verbatim(String name, int maxLength) {
        return text(name, maxLength, false);
    }

    private String text(String name, int maxLength, boolean stripped) {
        JsonNode value = value(name);
        if (value.isNull()) {
            return refuse(name, NOT_NULL);
        }
        if (!value.isTextual() && !value.isNumber()) {
            return refuse(name, "Not a valid string.");
        }
        String text = stripped ? value.asText().strip() : value.asText();
        if (text.indexOf('\0') >= 0) {
            return refuse(name, "Null characters are not allowed.");
        }
        int surrogate = StrictJson.loneSurrogate(text);
        if (surrogate >= 0) {
            return refuse(name, String.format("Surrogate characters are not allowed: U+%X.", surrogate));
        }
        if (text.codePointCount(0, text.length()) > maxLength) {
            return refuse(name, "Ensure this field has no more than " + maxLength + " characters.");
        }
        return text;
    }

    /** A truth value: {@code true/t/yes/y/on/1} and their opposites, in any case. */
    public Boolean bool(String name) {
        JsonNode value = value(name);
        if (value.isNull()) {
            return refuse(name, NOT_NULL);
        }
        String text = value.isContainerNode() ? "" : value.asText().strip().toLowerCase(Locale.ROOT);
        if (TRUE.contains(text)) {
            return true;
        }
        return FALSE.contains(text) ? false : refuse(name, "Must be a valid boolean.");
    }

    /** A whole number from {@code min} to {@link #MAX_INTEGER}. */
    public Long integer(String name, long min) {
        JsonNode value = value(name);
        if (value.isNull()) {
            return refuse(name, NOT_NULL);
        }
        BigDecimal number = StrictJson.number(value);
        if (number == null || number.stripTrailingZeros().scale() > 0) {
            return refuse(name, "A valid integer is required.");
        }
        if (number.compareTo(BigDecimal.valueOf(min)) < 0) {
            return refuse(name, "Ensure this value is greater than or equal to " + min + ".");
        }
        if (number.compareTo(BigDecimal.valueOf(MAX_INTEGER)) > 0) {
            return refuse(name, "Ensure this value is less than or equal to " + MAX_INTEGER + ".");
        }
        return number.longValueExact();
    }

    /** A finite number. */
    public Double number(String name) {
        BigDecimal number = StrictJson.number(value(name));
        return number == null ? refuse(name, "A valid number is required.") : (Double) number.doubleValue();
    }

    /** An ISO 8601 date and time, or a date alone, in UTC where it does not say otherwise; to the second. */
    public Instant instant(String name) {
        JsonNode value = value(name);
        if (value.isNull()) {
            return refuse(name, NOT_NULL);
        }
        Instant instant = value.isTextual() ? IsoInstant.parse(value.textValue().strip()) : null;
        return instant == null
                ? refuse(name, "Datetime has wrong format. Use one of these formats instead: "
                        + "YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].")
                : instant;
    }

    /** One of the texts that are on offer. */
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
     * A list of texts that are on offer. A form may repeat the field, or send one text, a comma-separated list, or a
     * list as JSON or Python writes it.
     */
    public String[] choices(String name, List<String> choices, boolean mayBeEmpty) {
        ArrayNode items = items(name, choices.size());
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
     * The different texts of a form's field that may be repeated, comma-separated or both, in the order of their first
     * appearance; none when the field is not there.
     */
    public List<String> texts(String name, int max) {
        List<String> texts = FormValues.texts(values.path(name));
        if (texts.stream().anyMatch(text -> text.indexOf('\0') >= 0)) {
            refuse(name, "Null characters are not allowed.");
        } else if (texts.size() > max) {
            refuse(name, "Ensure this field has no more than " + max + " elements.");
        }
        return texts;
    }

    /**
     * A list of numbers, empty or one within each pair of bounds.
     *
     * @param bounds
     *            the absolute values that the numbers may have at most
     */
    public double[] numbers(String name, double... bounds) {
        ArrayNode items = items(name, bounds.length);
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
            }
        }
        return errors.has(name) ? null : numbers;
    }

    /** A JSON object; a form sends it as JSON text. */
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

    /** Remembers what is wrong with a field, and returns the null that it then reads as. */
    public <T> T refuse(String name, String message) {
        errors.putArray(name).add(message);
        return null;
    }

    /** Remembers what is wrong inside of a field. */
    public void refuse(String name, ObjectNode inside) {
        errors.set(name, inside);
    }

    private void refuse(String name, int index, String message) {
        errors.withObject("/" + name).putArray(Integer.toString(index)).add(message);
    }

    /** Remembers that a field that must be there is not. */
    public <T> T missing(String name) {
        return refuse(name, "This field is required.");
    }

    /** The answer where one field is wrong, as only the database knows. */
    public static ApiException invalid(String name, String message) {
        ObjectNode errors = JsonNodeFactory.instance.objectNode();
        errors.putArray(name).add(message);
        return ApiException.invalid(errors);
    }

    /**
     * @throws ApiException
     *             400 with all wrong fields, when there are any
     */
    public void check() {
        if (!errors.isEmpty()) {
            throw ApiException.invalid(errors);
        }
    }

    /** The fields as they came, as JSON text: the same for the same values. */
    @Override
    public String toString() {
        return values.toString();
    }

    private JsonNode value(String name) {
        return form ? JsonNodeFactory.instance.textNode(FormValues.last(values.path(name))) : values.path(name);
    }

    private ArrayNode items(String name, int max) {
        JsonNode value = form ? FormValues.items(values.path(name)) : values.path(name);
        if (value.isNull()) {
            return refuse(name, NOT_NULL);
        }
        if (!(value instanceof ArrayNode items)) {
            return refuse(name, "Expected a list of items but got type \"" + StrictJson.pythonType(value) + "\".");
        }
        return items.size() > max ? refuse(name, "Ensure this field has no more than " + max + " elements.") : items;
    }

    /** What is wrong with a text that is not on offer. */
    public static String notAChoice(String text) {
        return '"' + (text.length() > MAX_ECHO ? text.substring(0, MAX_ECHO) + "…" : text)
                + "\" is not a valid choice.";
    }
}
