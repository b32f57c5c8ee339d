package io.datasetlisting.dataset.cql2;

import java.math.BigDecimal;

import com.fasterxml.jackson.databind.node.TextNode;

import io.datasetlisting.base.BlankText;
import io.datasetlisting.http.input.StrictJson;

/** Divides CQL2 text into tokens. It holds one token at a time, because a filter may be refused at any of them. */
final class Cql2Lexer {

    enum Kind {
        NAME, QUOTED_NAME, TEXT, NUMBER,
        /** An operator, a bracket or a comma. */
        SYMBOL, END
    }

    private static final String SYMBOLS = "()=<>,+-*/%^";

    private static final int NO_ESCAPE = -1;

    private final String parameter;
    private final String source;
    private Kind kind;
    private String value;
    /** Index of the first character of the token. */
    private int start;
    /** Index after the last character of the token. */
    private int end;

    Cql2Lexer(String parameter, String source) {
        this.parameter = parameter;
        this.source = source;
    }

    Kind kind() {
        return kind;
    }

    /** A name without quotes, a text without quotes and escapes, or the characters of the token. */
    String value() {
        return value;
    }

    Place place() {
        int index = start;
        return new Place(parameter, () -> "character " + (source.codePointCount(0, index) + 1));
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && value.equals(symbol);
    }

    boolean isKeyword(String keyword) {
        return kind == Kind.NAME && value.equalsIgnoreCase(keyword);
    }

    boolean skipSymbol(String symbol) {
        return skipIf(isSymbol(symbol));
    }

    boolean skipKeyword(String keyword) {
        return skipIf(isKeyword(keyword));
    }

    private boolean skipIf(boolean condition) {
        if (condition) {
            next();
        }
        return condition;
    }

    void expectSymbol(String symbol) {
        if (!skipSymbol(symbol)) {
            throw place().refuse("Expected '" + symbol + "'");
        }
    }

    void expectKeyword(String keyword) {
        if (!skipKeyword(keyword)) {
            throw place().refuse("Expected " + keyword);
        }
    }

    /** The value of the token, a number, which is skipped. */
    BigDecimal takeNumber() {
        if (kind != Kind.NUMBER) {
            throw place().refuse("Expected a number");
        }
        BigDecimal number = StrictJson.number(TextNode.valueOf(value));
        if (number == null) {
            throw place().refuse("A number outside the range of a double");
        }
        next();
        return number;
    }

    /** Reads the next token. */
    void next() {
        start = end;
        while (start < source.length() && BlankText.isSpace(source.codePointAt(start))) {
            start++;
        }
        if (start == source.length()) {
            end = start;
            kind = Kind.END;
            value = "";
            return;
        }
        char c = source.charAt(start);
        if (c == '\'') {
            readText();
        } else if (c == '"') {
            readQuotedName();
        } else if (isDigit(start) || c == '.' && isDigit(start + 1)) {
            readNumber();
        } else if (SYMBOLS.indexOf(c) >= 0) {
            boolean isLong = source.startsWith("<>", start) || source.startsWith("<=", start)
                    || source.startsWith(">=", start);
            take(Kind.SYMBOL, start + (isLong ? 2 : 1));
        } else if (isNameStart(source.codePointAt(start))) {
            int index = start;
            while (index < source.length() && isNamePart(source.codePointAt(index))) {
                index += Character.charCount(source.codePointAt(index));
            }
            take(Kind.NAME, index);
        } else {
            throw place().refuse("Unexpected character");
        }
    }

    private void take(Kind kind, int end) {
        this.kind = kind;
        this.end = end;
        value = source.substring(start, end);
    }

    private void readNumber() {
        int index = skipDigits(start);
        if (index < source.length() && source.charAt(index) == '.') {
            index = skipDigits(index + 1);
        }
        if (index < source.length() && (source.charAt(index) == 'e' || source.charAt(index) == 'E')) {
            boolean signed = index + 1 < source.length() && "+-".indexOf(source.charAt(index + 1)) >= 0;
            int exponent = index + (signed ? 2 : 1);
            index = isDigit(exponent) ? skipDigits(exponent) : index;
        }
        take(Kind.NUMBER, index);
    }

    private int skipDigits(int from) {
        int index = from;
        while (isDigit(index)) {
            index++;
        }
        return index;
    }

    private boolean isDigit(int index) {
        return index < source.length() && source.charAt(index) >= '0' && source.charAt(index) <= '9';
    }

    private void readQuotedName() {
        int close = source.indexOf('"', start + 1);
        if (close < 0) {
            throw place().refuse("A name without its second quotation mark");
        }
        take(Kind.QUOTED_NAME, close + 1);
        value = source.substring(start + 1, close);
    }

    private void readText() {
        StringBuilder text = new StringBuilder();
        int index = start + 1;
        while (index < source.length()) {
            char c = source.charAt(index);
            char following = index + 1 < source.length() ? source.charAt(index + 1) : 0;
            if (c == '\'' && following != '\'') {
                take(Kind.TEXT, index + 1);
                value = text.toString();
                return;
            }
            int escaped = c == '\'' ? following : c == '\\' ? unescape(following) : NO_ESCAPE;
            text.append(escaped == NO_ESCAPE ? c : (char) escaped);
            index += escaped == NO_ESCAPE ? 1 : 2;
        }
        throw place().refuse("A text without its second quotation mark");
    }

    /**
     * The character that is written as a backslash and another one, or {@code NO_ESCAPE}. The backslash before a wildcard is
     * none, because the pattern of LIKE has this escape.
     */
    private static int unescape(char escaped) {
        return switch (escaped) {
            case '\'', '\\' -> escaped;
            case 'a' -> 7;
            case 'b' -> '\b';
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'v' -> 11;
            case 'f' -> '\f';
            case 'r' -> '\r';
            default -> NO_ESCAPE;
        };
    }

    /** The ranges of the rule {@code identifierStart}. */
    private static boolean isNameStart(int c) {
        if (c < 0xc0) {
            return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':';
        }
        return c <= 0x2ff && c != 0xd7 && c != 0xf7 || c >= 0x370 && c <= 0x1ffe && c != 0x37e && c != 0x1680
                || c == 0x200c || c == 0x200d || c >= 0x2070 && c <= 0x218f || c >= 0x2c00 && c <= 0x2fef
                || c >= 0x3001 && c <= 0xd7ff || c >= 0xf900 && c <= 0xfdcf || c >= 0xfdf0 && c <= 0xfffd
                || c >= 0x10000 && c <= 0xeffff;
    }

    /** The ranges of the rule {@code identifierPart}. */
    private static boolean isNamePart(int c) {
        return isNameStart(c) || c >= '0' && c <= '9' || c == '.' || c >= 0x300 && c <= 0x36f || c == 0x203f
                || c == 0x2040;
    }
}
