package io.datasetlisting.catalogue.column;

import java.util.List;
import java.util.Map;

import io.datasetlisting.dataset.DatasetFields;

/** The bits of {@link Column#MARKS}, in the order of the view {@code listing_element}. */
public final class Mark {

    public static final int CATEGORY = 0;
    public static final int RASTER = CATEGORY + DatasetFields.CATEGORIES.size();
    /** Rasters with statistics. */
    public static final int STATS = RASTER + DatasetFields.RASTERS.size();
    private static final int FLAGS = STATS + DatasetFields.RASTERS.size();
    public static final int AREA = FLAGS + 3;
    public static final int PRIVATE = FLAGS + 4;
    /** The geometry is a point, which is not the footprint. */
    public static final int ELSEWHERE = FLAGS + 5;

    /** The bit of a dataset that has a label without a bit in {@link Column#BANDS}, and the number of bits for labels. */
    public static final int OTHER_BAND = 62;

    /** The flags by the columns of {@code dataset}. */
    static final Map<String, Integer> FLAG_BITS = Map.of("is_shareable", FLAGS, "cant_orthomosaic", FLAGS + 1,
            "is_dem_processing", FLAGS + 2, "is_private", PRIVATE);

    /** The choices of fields and the bits of their first choices, by the columns of {@code dataset}. */
    private static final Map<String, List<String>> CHOICES = Map.of("category", DatasetFields.CATEGORIES,
            "available_rasters", DatasetFields.RASTERS);

    private Mark() {
    }

    /** The bit of a choice; negative if there is none. */
    static int of(String column, String choice) {
        int place = CHOICES.getOrDefault(column, List.of()).indexOf(choice);
        return place < 0 ? -1 : place + (column.equals("category") ? CATEGORY : RASTER);
    }

    static boolean hasChoices(String column) {
        return CHOICES.containsKey(column);
    }
}
