package io.datasetlisting.faces.chart;

import java.math.BigDecimal;
import java.math.MathContext;

import io.quarkus.qute.TemplateExtension;

/** Writes numbers for readers: six digits, without the zeros at the end. In templates a number has the property {@code text}. */
public final class Numbers {

    private static final MathContext SIX_DIGITS = new MathContext(6);
    private static final double LARGE = 1e9;
    private static final double SMALL = 1e-4;

    private Numbers() {
    }

    @TemplateExtension
    public static String text(double number) {
        if (number == 0) {
            return "0";
        }
        double size = Math.abs(number);
        BigDecimal rounded = new BigDecimal(number).round(SIX_DIGITS).stripTrailingZeros();
        return size >= LARGE || size < SMALL
                ? scientific(rounded)
                : rounded.toPlainString();
    }

    private static String scientific(BigDecimal number) {
        int exponent = number.precision() - number.scale() - 1;
        return number.movePointLeft(exponent).stripTrailingZeros().toPlainString() + "e" + exponent;
    }
}
