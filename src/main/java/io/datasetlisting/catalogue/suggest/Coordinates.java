package io.datasetlisting.catalogue.suggest;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A latitude and a longitude that a person has typed, for example "36.1, -85.4" or "36°6'N 85°24'W". */
record Coordinates(double latitude, double longitude) {

    private static final String NUMBER = "(\\d{1,3}(?:\\.\\d{1,15})?)";
    private static final String ANGLE = "([-+−]?)" + NUMBER + " ?°? ?(?:" + NUMBER + " ?['′’] ?)?(?:" + NUMBER
            + " ?[\"″”] ?)?([NSEW]?)";
    private static final Pattern PAIR = Pattern.compile(ANGLE + " ?[,; ] ?" + ANGLE);
    /** Two numbers without any of these may be words of a name. */
    private static final Pattern SIGN = Pattern.compile("[.,;°−-]|[NSEW]$");
    private static final int GROUPS = 5;
    private static final int PARTS = 60;
    private static final double HALF_TURN = 180;
    private static final int MAX_LENGTH = 60;

    static Optional<Coordinates> parse(String text) {
        String plain = text.strip().replaceAll("\\s+", " ").toUpperCase(Locale.ROOT);
        Matcher pair = PAIR.matcher(plain);
        if (plain.length() > MAX_LENGTH || !SIGN.matcher(plain).find() || !pair.matches()) {
            return Optional.empty();
        }
        boolean isEastFirst = "EW".contains(pair.group(GROUPS)) && !pair.group(GROUPS).isEmpty();
        double first = degrees(pair, 0);
        double second = degrees(pair, GROUPS);
        Coordinates found = isEastFirst ? new Coordinates(second, first) : new Coordinates(first, second);
        return Math.abs(found.latitude) <= HALF_TURN / 2 && Math.abs(found.longitude) <= HALF_TURN
                ? Optional.of(found)
                : Optional.empty();
    }

    private static double degrees(Matcher pair, int before) {
        double degrees = number(pair.group(before + 2)) + number(pair.group(before + 3)) / PARTS
                + number(pair.group(before + 4)) / PARTS / PARTS;
        String hemisphere = pair.group(before + GROUPS);
        boolean isNegative = "-−".contains(pair.group(before + 1)) && !pair.group(before + 1).isEmpty()
                || hemisphere.equals("S") || hemisphere.equals("W");
        return isNegative ? -degrees : degrees;
    }

    private static double number(String text) {
        return text == null ? 0 : Double.parseDouble(text);
    }
}
