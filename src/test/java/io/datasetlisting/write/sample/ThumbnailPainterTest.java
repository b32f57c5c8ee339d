package io.datasetlisting.write.sample;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;

import javax.imageio.ImageIO;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the thumbnails of the sample data. */
class ThumbnailPainterTest {

    @Test
    void theSameIdHasTheSameImage() {
        assertArrayEquals(ThumbnailPainter.landscape(7, "Forest", "png"),
                ThumbnailPainter.landscape(7, "Forest", "png"));
        assertFalse(Arrays.equals(ThumbnailPainter.landscape(7, "Forest", "png"),
                ThumbnailPainter.landscape(8, "Forest", "png")));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, Long.MAX_VALUE, -1})
    void everyIdHasAnImage(long id) throws IOException {
        assertNotNull(ImageIO.read(new ByteArrayInputStream(ThumbnailPainter.landscape(id, "of no kind", "jpeg"))));
    }

    @ParameterizedTest
    @CsvSource({"a/thumbnail.jpg, jpeg", "A.JPEG, jpeg", "placeholder/thumbnail.png, png", "a.jpg/b, png", "tiff, png"})
    void theFormatIsThatOfTheKey(String key, String format) {
        assertEquals(format, ThumbnailPainter.format(key));
    }
}
