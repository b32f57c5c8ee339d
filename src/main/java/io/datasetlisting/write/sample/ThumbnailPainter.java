package io.datasetlisting.write.sample;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;

import javax.imageio.ImageIO;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Draws the thumbnails of dev mode: a landscape from above that fits a category, with the dataset's id. The same id gets the same
 * image. It draws each pixel itself, so that it needs neither fonts nor a screen.
 */
final class ThumbnailPainter {

    private static final int WIDTH = 320;
    private static final int HEIGHT = 240;

    private static final int[] GREEN = {0x3F6B35, 0x55803F, 0x6E9147, 0x2F5A32, 0x879F56};
    private static final int[] SAND = {0xC9A66B, 0xB88E5A, 0xD8BC86, 0xA67C52, 0x94764E};
    private static final int[] WATER = {0x1F5A7A, 0x2A6F8C, 0x17496B, 0x3C8799, 0x5BA3A0};
    private static final int[] SHORE = {0x4F7F86, 0x8AA17A, 0xC2B280, 0x5C8C6A, 0x6F9AA0};
    private static final int[] ROCK = {0x8F8A80, 0xA59C8C, 0x746F68, 0xB5AEA0, 0x66704F};
    private static final int[] STEPPE = {0xB9A85F, 0xA79A55, 0x8C8A4A, 0xC7B673, 0x75803F};
    private static final int[] DEEP = {0x0E2F52, 0x123A61, 0x0A2645, 0x174A70, 0x1D5578};
    private static final int[] TOWN = {0x8C8A86, 0xA35F4A, 0x6B6E72, 0xB7B2A8, 0x5F7D4C};
    private static final int[] FARMLAND = {0x7F9B4E, 0xC4B061, 0x5B7F3C, 0xA98C5B, 0x91A85F};

    private static final int SEA = 0x3C8799;
    private static final int SURF = 0xE3ECEC;

    private static final Map<String, int[]> COLOURS = Map.ofEntries(Map.entry("Artificial - terrestrial", TOWN),
            Map.entry("Deep ocean floor", DEEP), Map.entry("Desert", SAND), Map.entry("Forest", GREEN),
            Map.entry("Grassland", STEPPE), Map.entry("Intertidal", SHORE), Map.entry("Neritic", SHORE),
            Map.entry("Oceanic", WATER), Map.entry("Rocky", ROCK), Map.entry("Savanna", STEPPE),
            Map.entry("Shrubland", GREEN),
            Map.entry("Wetlands", SHORE));

    /** Land with the sea at its foot. */
    private static final Set<String> COASTS = Set.of("Intertidal", "Neritic");
    /** Fields with furrows and straight borders. */
    private static final Set<int[]> FIELDS = Set.of(TOWN, FARMLAND);

    /** The digits, three pixels wide and five high, row by row from the highest bit. */
    private static final int[] DIGITS = {0b111_101_101_101_111, 0b010_110_010_010_111, 0b111_001_111_100_111,
            0b111_001_111_001_111, 0b101_101_111_001_001, 0b111_100_111_001_111, 0b111_100_111_101_111,
            0b111_001_010_010_010, 0b111_101_111_101_111, 0b111_101_111_001_111};
    /** Side of a pixel of a digit, in pixels of the image. */
    private static final int DOT = 3;
    private static final int MARGIN = 10;

    static {
        // Otherwise macOS shows an icon in its Dock.
        System.setProperty("java.awt.headless", "true");
    }

    private ThumbnailPainter() {
    }

    /** The format of the image with this key: {@code jpeg} or {@code png}. */
    static String format(String key) {
        return key.toLowerCase(Locale.ROOT).matches("(?s).*\\.jpe?g") ? "jpeg" : "png";
    }

    /** The thumbnail of one dataset, as the bytes of an image file. */
    static byte[] landscape(long id, String category, String format) {
        SplittableRandom random = new SplittableRandom(new SplittableRandom(id).nextLong());
        int[] colours = COLOURS.getOrDefault(category, FARMLAND);
        boolean hasFields = FIELDS.contains(colours);
        int[][] fields = IntStream.range(0, random.nextInt(8, 15)).mapToObj(i -> new int[]{random.nextInt(WIDTH),
                random.nextInt(HEIGHT), shade(colours[random.nextInt(colours.length)], random.nextInt(-14, 15)),
                random.nextInt(-5, 6), random.nextInt(-5, 6)}).toArray(int[][]::new);
        int shore = COASTS.contains(category) ? random.nextInt(HEIGHT / 3, 2 * HEIGHT / 3) : 2 * HEIGHT;
        int grain = colours == GREEN ? 18 : colours == WATER || colours == DEEP ? 2 : 5;
        String digits = Long.toUnsignedString(id);
        return encode((x, y) -> {
            if (isLabel(x, y, digits)) {
                return 0xFFFFFF;
            }
            if (isLabel(x - 1, y - 1, digits)) {
                return 0x202020;
            }
            int depth = y - shore - (int) (14 * Math.sin(x / 37.0 + id) + 6 * Math.sin(x / 11.0));
            if (depth > 0) {
                return shade(depth < 4 ? SURF : SEA, -Math.min(40, depth / 3) + random.nextInt(-2, 3));
            }
            int[] field = null;
            int nearest = Integer.MAX_VALUE;
            int second = Integer.MAX_VALUE;
            for (int[] other : fields) {
                // A weighted Manhattan distance, which gives the fields straight borders.
                int distance = 2 * Math.abs(x - other[0]) + 3 * Math.abs(y - other[1])
                        + Math.abs(x - other[0] + y - other[1]);
                if (distance < nearest) {
                    second = nearest;
                    nearest = distance;
                    field = other;
                } else {
                    second = Math.min(second, distance);
                }
            }
            int furrow = !hasFields ? 0 : Math.floorMod(x * field[3] + y * field[4], 23) < 8 ? 5 : -3;
            int border = hasFields && second - nearest < 8 ? -28 : 0;
            return shade(field[2], furrow + border + random.nextInt(-grain, grain + 1));
        }, format);
    }

    /** The image for datasets without a thumbnail: a grey image symbol that is crossed out. */
    static byte[] placeholder(String format) {
        return encode((x, y) -> {
            int right = x - WIDTH / 2;
            int down = y - HEIGHT / 2;
            boolean frame = Math.abs(right) < 64 && Math.abs(down) < 48
                    && (Math.abs(right) >= 58 || Math.abs(down) >= 42);
            boolean hills = Math.abs(right) < 50 && down < 34
                    && (down > Math.abs(right + 18) - 12 || down > Math.abs(right - 24) + 6);
            boolean sun = (right - 28) * (right - 28) + (down + 20) * (down + 20) < 81;
            int strike = Math.abs(3 * right + 4 * down);
            return strike < 20 && Math.abs(right) < 84
                    ? 0x8A8A8A
                    : strike >= 44 && (frame || hills || sun) ? 0xB4B4B4 : 0xE6E6E6;
        }, format);
    }

    private static boolean isLabel(int x, int y, String digits) {
        int column = Math.floorDiv(x - MARGIN, DOT);
        int row = Math.floorDiv(y - (HEIGHT - MARGIN - 5 * DOT), DOT);
        return column >= 0 && column / 4 < digits.length() && column % 4 < 3 && row >= 0 && row < 5
                && (DIGITS[Character.digit(digits.charAt(column / 4), 10)] >> (14 - 3 * row - column % 4) & 1) == 1;
    }

    private static int shade(int colour, int change) {
        int shaded = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            shaded |= Math.max(0, Math.min(255, (colour >> shift & 255) + change)) << shift;
        }
        return shaded;
    }

    private static byte[] encode(IntBinaryOperator colours, String format) {
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                image.setRGB(x, y, colours.applyAsInt(x, y));
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ImageOutputStream stream = new MemoryCacheImageOutputStream(bytes)) {
            ImageIO.write(image, format, stream);
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory does not fail", e);
        }
        return bytes.toByteArray();
    }
}
