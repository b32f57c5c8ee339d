package io.datasetlisting.dataset;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonGenerator;

/**
 * Writes JSON text without the space that PostgreSQL puts after each comma and colon. Most bytes of a page are
 * statistics: one pass over their characters is far cheaper than parsing. PostgreSQL writes all digits of a number. A number
 * of more than 64 bits, such as the -3.4e38 that stands for "no data", gets an exponent, because clients such as pandas
 * read no response with its digits.
 */
final class CompactJson {

    /** So many digits, or more, have the whole numbers of more than 64 bits. */
    private static final int MANY_DIGITS = 19;
    private static final BigDecimal MIN = BigDecimal.valueOf(Long.MIN_VALUE);
    /** The largest number of 64 bits without a sign. */
    private static final BigDecimal MAX = new BigDecimal("18446744073709551615");
    private static final Pattern TEXT_OR_NUMBER = Pattern.compile("\"(?:\\\\.|[^\"\\\\])*+\"|-?\\d[\\d.eE+-]*+");

    private CompactJson() {
    }

    static void write(String json, JsonGenerator generator) throws IOException {
        if (!write(json, generator, MANY_DIGITS)) {
            write(TEXT_OR_NUMBER.matcher(json).replaceAll(CompactJson::withExponent), generator, Integer.MAX_VALUE);
        }
    }

    private static String withExponent(MatchResult found) {
        String token = found.group();
        if (token.length() < MANY_DIGITS || token.charAt(0) == '"') {
            return Matcher.quoteReplacement(token);
        }
        BigDecimal number = new BigDecimal(token).stripTrailingZeros();
        if (number.compareTo(MIN) >= 0 && number.compareTo(MAX) <= 0) {
            return token;
        }
        int exponent = number.precision() - 1;
        return new BigDecimal(number.unscaledValue(), exponent) + "E" + (exponent - number.scale());
    }

    /** False, and nothing is written, if so many digits follow each other outside of strings. */
    private static boolean write(String json, JsonGenerator generator, int refused) throws IOException {
        char[] compact = new char[json.length()];
        int length = 0;
        int digits = 0;
        boolean inString = false;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (inString && c == '\\') {
                compact[length++] = c;
                compact[length++] = json.charAt(++i);
                continue;
            }
            if (c == '"') {
                inString = !inString;
            }
            if (inString || c != ' ') {
                compact[length++] = c;
            }
            digits = !inString && c >= '0' && c <= '9' ? digits + 1 : 0;
            if (digits == refused) {
                return false;
            }
        }
        generator.writeRawValue(compact, 0, length);
        return true;
    }
}
