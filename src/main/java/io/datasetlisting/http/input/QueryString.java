package io.datasetlisting.http.input;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;

import io.datasetlisting.base.PercentEncoding;

/**
 * The parameters of a request's query, parsed and written with the rules of Django REST Framework.
 *
 * <p> Parsing never fails. A malformed percent escape is read as text, bytes that are not UTF-8 become U+FFFD, and a name without
 * {@code =} has an empty value. The written query is sorted by name and keeps the order of repeated names. It form-encodes all
 * characters except {@code A-Z a-z 0-9 _ . - ~} (the rules of Python's {@code urllib.parse}).
 */
public final class QueryString {

    private final List<Parameter> parameters;

    private QueryString(List<Parameter> parameters) {
        this.parameters = parameters;
    }

    private record Parameter(String name, String value) {
    }

    /**
     * Parses a query.
     *
     * @param raw
     *            the encoded text after the question mark; may be null
     */
    public static QueryString parse(String raw) {
        List<Parameter> parameters = new ArrayList<>();
        int length = raw == null ? 0 : raw.length();
        int equals = -1;
        for (int start = 0, end; start < length; start = end + 1) {
            end = indexOrLength(raw, '&', start);
            if (equals < start) {
                // Not searched again for every name: a body may consist of names without the sign.
                equals = indexOrLength(raw, '=', start);
            }
            if (end > start) {
                parameters.add(equals >= end
                        ? new Parameter(decode(raw.substring(start, end)), "")
                        : new Parameter(decode(raw.substring(start, equals)), decode(raw.substring(equals + 1, end))));
            }
        }
        return new QueryString(parameters);
    }

    private static int indexOrLength(String text, char c, int from) {
        int index = text.indexOf(c, from);
        return index < 0 ? text.length() : index;
    }

    /** The value of a parameter; the last value of a repeated parameter; null if it is absent. */
    public String get(String name) {
        for (int i = parameters.size() - 1; i >= 0; i--) {
            if (parameters.get(i).name.equals(name)) {
                return parameters.get(i).value;
            }
        }
        return null;
    }

    /** Calls the action with the name and value of each parameter, in their order. */
    public void forEach(BiConsumer<String, String> action) {
        parameters.forEach(parameter -> action.accept(parameter.name, parameter.value));
    }

    /** All values of a parameter, in their order; empty if it is absent. */
    public List<String> getAll(String name) {
        return parameters.stream().filter(parameter -> parameter.name.equals(name)).map(Parameter::value).toList();
    }

    /** A copy of this query in which a parameter has a single value. */
    public QueryString with(String name, String value) {
        QueryString others = without(name);
        others.parameters.add(new Parameter(name, value));
        return others;
    }

    /** A copy of this query in which a parameter has these values. */
    public QueryString with(String name, List<String> values) {
        QueryString others = without(name);
        values.forEach(value -> others.parameters.add(new Parameter(name, value)));
        return others;
    }

    /** A copy of this query without some parameters. */
    public QueryString without(String... names) {
        List<String> removed = List.of(names);
        List<Parameter> others = new ArrayList<>(parameters.size() + 1);
        for (Parameter parameter : parameters) {
            if (!removed.contains(parameter.name)) {
                others.add(parameter);
            }
        }
        return new QueryString(others);
    }

    /** A copy of this query without the parameters that are white space, as forms send them for empty fields. */
    public QueryString withoutBlank() {
        return new QueryString(new ArrayList<>(
                parameters.stream().filter(parameter -> !parameter.value.isBlank()).toList()));
    }

    /** The address with this query. */
    public String appendTo(String address) {
        return isEmpty() ? address : address + '?' + this;
    }

    /** Whether there is no parameter. */
    public boolean isEmpty() {
        return parameters.isEmpty();
    }

    /** The encoded query, sorted by name, without a question mark. */
    @Override
    public String toString() {
        List<Parameter> sorted = new ArrayList<>(parameters);
        sorted.sort(Comparator.comparing(Parameter::name));
        StringBuilder out = new StringBuilder(64);
        for (Parameter parameter : sorted) {
            if (!out.isEmpty()) {
                out.append('&');
            }
            out.append(PercentEncoding.form(parameter.name)).append('=').append(PercentEncoding.form(parameter.value));
        }
        return out.toString();
    }

    private static String decode(String encoded) {
        if (isPlain(encoded)) {
            return encoded;
        }
        return decodeBytes(encoded).toString(StandardCharsets.UTF_8);
    }

    /** Whether the decoded bytes are UTF-8. If not, {@link #parse} inserts U+FFFD. */
    static boolean isUtf8(String raw) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(decodeBytes(raw).toByteArray()));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static ByteArrayOutputStream decodeBytes(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '+') {
                bytes.write(' ');
            } else if (c == '%' && isHexPair(encoded, i + 1)) {
                bytes.write(HexFormat.fromHexDigits(encoded, i + 1, i + 3));
                i += 2;
            } else {
                // The HTTP decoder passes each byte as one char.
                bytes.write(c);
            }
        }
        return bytes;
    }

    private static boolean isPlain(String encoded) {
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '+' || c == '%' || c > 0x7E) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHexPair(String text, int index) {
        return index + 1 < text.length() && HexFormat.isHexDigit(text.charAt(index))
                && HexFormat.isHexDigit(text.charAt(index + 1));
    }
}
