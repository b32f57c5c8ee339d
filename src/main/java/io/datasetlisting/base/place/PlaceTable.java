package io.datasetlisting.base.place;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.datasetlisting.base.ClassPathFile;
import io.datasetlisting.base.SearchWords;

/**
 * The places of the files, in about 2 MB: the bytes of the files, and for each line its folded words and its position. A place
 * is made of its line when it is found.
 */
final class PlaceTable {

    private static final List<String> FILES = List.of("/place/seas.tsv", "/place/places.tsv");

    private static final int NAME = 0;
    private static final int OTHER_NAMES = 1;
    private static final int REGION = 2;
    private static final int COUNTRY = 3;
    private static final int LATITUDE = 4;
    private static final int LONGITUDE = 5;
    private static final int POPULATION = 6;
    private static final int WEST = 7;
    private static final int CELLS_WITH_A_BOX = 11;
    private static final int AXES = 3;
    /** Words that people write or leave out, in the languages of the pages and of the names. */
    private static final Pattern ISLAND = Pattern
            .compile("^the |\\b(islands?|isles?|islas?|iles?|ilhas?|isol[ae]|inseln?)\\b"
                    + "( (of|the|de|del|la|las|los|du|des|le|les|d|l|da|di|do)\\b)*");
    /** The apostrophes that people write, and the ʻokina. */
    private static final String APOSTROPHES = "'`\u02bb\u2018\u2019";
    private static final Pattern APOSTROPHE = Pattern.compile('[' + APOSTROPHES + ']');
    /** That of d'Oléron and L'Aquila stands between two words. */
    private static final Pattern ELISION = Pattern.compile("(?<=(?<![\\p{L}\\p{N}])[dlDL])" + APOSTROPHE);
    /** What stands for the first word of a name, and not for a word that somebody has begun to write. */
    private static final Map<String, String> ABBREVIATIONS = Map.of("st ", "saint ", "ste ", "sainte ",
            "mt ", "mount ", "ft ", "fort ");
    private static final Pattern BEGINNING_OF_ISLAND = Pattern.compile("(?<=.) isl?a?n?$");

    private final byte[] file;
    /** The first byte of each line, and the end of the file. */
    private final int[] starts;
    /** A space stands before each word, and a line feed between the names of a place and those of its region and country. */
    private final String[] words;
    /**
     * Points of the unit sphere, of towns alone: others have NaN, which is nearer than nothing. The distance of two points grows
     * with the distance on the Earth.
     */
    private final float[] points;
    private final boolean[] areCountries;
    private final boolean[] areEmpty;
    /** Where the words of the name end, before those of the other names. */
    private final int[] ends;

    private PlaceTable(byte[] file) {
        this.file = file;
        this.starts = starts(file);
        this.words = new String[starts.length - 1];
        this.points = new float[AXES * words.length];
        this.areCountries = new boolean[words.length];
        this.areEmpty = new boolean[words.length];
        this.ends = new int[words.length];
        Map<String, String> regions = new HashMap<>();
        for (int row = 0; row < words.length; row++) {
            String[] cells = cells(row);
            String name = words(cells[NAME]);
            ends[row] = name.length();
            words[row] = name + words(cells[OTHER_NAMES]) + '\n'
                    + regions.computeIfAbsent(cells[REGION], PlaceTable::words)
                    + regions.computeIfAbsent(cells[COUNTRY], PlaceTable::words);
            double[] point = point(degrees(cells[LATITUDE]), degrees(cells[LONGITUDE]));
            for (int axis = 0; axis < AXES; axis++) {
                points[AXES * row + axis] = (float) point[axis];
            }
            boolean isEmpty = cells[POPULATION].equals("0");
            areCountries[row] = cells[COUNTRY].isEmpty() && !isEmpty;
            areEmpty[row] = !cells[COUNTRY].isEmpty() && isEmpty;
        }
    }

    private static int[] starts(byte[] file) {
        int[] starts = new int[file.length + 1];
        int lines = 0;
        for (int i = 0; i < file.length; i++) {
            if (file[i] == '\n') {
                starts[++lines] = i + 1;
            }
        }
        return Arrays.copyOf(starts, lines + 1);
    }

    static PlaceTable read() {
        return new PlaceTable(FILES.stream().map(ClassPathFile::read).collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8));
    }

    /** The words of a text. People write an apostrophe within a word, leave it out, or take another one. */
    static String fold(String text) {
        // Nearly all names have neither of them, and the start folds 30,000 names: a pattern takes longer to find nothing.
        String folded = SearchWords.fold(hasApostrophe(text)
                ? APOSTROPHE.matcher(ELISION.matcher(text).replaceAll(" ")).replaceAll("")
                : text);
        for (Map.Entry<String, String> each : ABBREVIATIONS.entrySet()) {
            if (folded.contains(each.getKey())) {
                folded = folded.replaceAll("\\b" + each.getKey() + "(?=\\p{L})", each.getValue());
            }
        }
        return folded;
    }

    private static boolean hasApostrophe(String text) {
        for (int i = 0; i < APOSTROPHES.length(); i++) {
            if (text.indexOf(APOSTROPHES.charAt(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    private static String words(String name) {
        String folded = fold(name);
        return folded.isEmpty() ? "" : ' ' + folded;
    }

    private static double[] point(double latitude, double longitude) {
        double north = Math.toRadians(latitude);
        double east = Math.toRadians(longitude);
        return new double[]{Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)};
    }

    private String[] cells(int row) {
        return new String(file, starts[row], starts[row + 1] - 1 - starts[row], StandardCharsets.UTF_8).split("\t");
    }

    /** A folded name without words such as island; the whole name if it has no others. */
    private static String bare(String folded) {
        String others = ISLAND.matcher(folded).replaceAll("").replaceAll(" +", " ").strip();
        return others.isEmpty() ? folded : others;
    }

    /**
     * The rows that have, for each word of a folded text, a word that begins with it; the first word is one of a name. An island
     * need not have the word island. First come the rows whose name the text is, unless nobody lives there, then rows with
     * another name that it is, with or without the word island, then countries.
     */
    Stream<Integer> find(String text) {
        String bare = bare(text);
        String needed = bare(BEGINNING_OF_ISLAND.matcher(text).replaceFirst(""));
        String[] all = beginnings(text);
        String[] few = beginnings(needed);
        boolean isBare = needed.equals(text);
        return IntStream.range(0, words.length).filter(row -> has(row, few) || !isBare && has(row, all))
                .mapToLong(row -> {
                    boolean isName = !areEmpty[row] && ends[row] == text.length() + 1 && words[row].startsWith(text, 1);
                    boolean isNamed = (words[row].contains(' ' + bare + ' ') || words[row].contains(' ' + bare + '\n'))
                            && isNamed(row, text);
                    int rank = (isName ? 0 : 8) + (isNamed ? 0 : 4) + (isBare || has(row, all) ? 0 : 2)
                            + (areCountries[row] ? 0 : 1);
                    return (long) rank << Integer.SIZE | row;
                }).sorted().mapToObj(rankAndRow -> (int) rankAndRow);
    }

    private static String[] beginnings(String text) {
        return Arrays.stream(text.split(" ")).map(word -> ' ' + word).toArray(String[]::new);
    }

    private boolean has(int row, String... beginnings) {
        int first = words[row].indexOf(beginnings[0]);
        return first >= 0 && first < words[row].indexOf('\n')
                && Arrays.stream(beginnings).allMatch(words[row]::contains);
    }

    private record Similar(int row, int mistakes) {
    }

    /** The rows whose name begins with a letter and has at most so many mistakes, the fewest first. */
    Stream<Integer> similar(char letter, ToIntFunction<String> mistakes, int max) {
        return IntStream.range(0, words.length).filter(row -> ends[row] > 1 && words[row].charAt(1) == letter)
                .mapToObj(row -> new Similar(row, mistakes.applyAsInt(words[row].substring(1, ends[row]))))
                .filter(each -> each.mistakes <= max).sorted(Comparator.comparingInt(Similar::mistakes)
                        .thenComparing(each -> !areCountries[each.row]))
                .map(Similar::row);
    }

    /** Whether words are all of a name of the place, or all of it and of what tells it apart. */
    boolean isNamed(int row, String folded) {
        String[] cells = cells(row);
        String text = bare(folded);
        List<String> ends = Stream.of("", cells[REGION], cells[COUNTRY], cells[REGION] + ' ' + cells[COUNTRY])
                .map(end -> end.isBlank() ? "" : ' ' + bare(fold(end))).toList();
        return Stream.concat(Stream.of(cells[NAME]), Arrays.stream(cells[OTHER_NAMES].split("\\|")))
                .map(PlaceTable::fold).filter(name -> !name.isEmpty()).map(PlaceTable::bare)
                .anyMatch(name -> text.startsWith(name) && ends.contains(text.substring(name.length())));
    }

    /** A town's own; not a number for a place with a box. */
    private static double degrees(String cell) {
        return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
    }

    Place place(int row) {
        String[] cells = cells(row);
        double latitude = degrees(cells[LATITUDE]);
        double longitude = degrees(cells[LONGITUDE]);
        long population = Long.parseLong(cells[POPULATION]);
        Area area = cells.length == CELLS_WITH_A_BOX
                ? area(cells)
                : Area.around(latitude, longitude, kilometres(population));
        return new Place(cells[NAME], cells[REGION], cells[COUNTRY], latitude, longitude, population, area);
    }

    private static Area area(String... cells) {
        double[] box = Arrays.stream(cells).skip(WEST).mapToDouble(Double::parseDouble).toArray();
        return new Area(box[0], box[1], box[2], box[3]);
    }

    /** From the middle of a town to beyond its edge. */
    private static double kilometres(long population) {
        return population > 5_000_000 ? 40 : population > 500_000 ? 25 : 15;
    }

    /** The row of the town that is nearest to a point. All towns are compared, which takes about 10 microseconds. */
    int nearestTown(double latitude, double longitude) {
        double[] point = point(latitude, longitude);
        float x = (float) point[0];
        float y = (float) point[1];
        float z = (float) point[2];
        int nearest = 0;
        float smallest = Float.MAX_VALUE;
        for (int row = 0, i = 0; row < words.length; row++, i += AXES) {
            float distance = (points[i] - x) * (points[i] - x) + (points[i + 1] - y) * (points[i + 1] - y)
                    + (points[i + 2] - z) * (points[i + 2] - z);
            if (distance < smallest) {
                smallest = distance;
                nearest = row;
            }
        }
        return nearest;
    }
}
