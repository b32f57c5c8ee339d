package io.datasetlisting.dataset;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.datasetlisting.base.BlankText;

/** The title of a dataset for people and in items: its name, or a text with its id where the name shows nothing. */
public final class DatasetTitle {

    /** The title in a row of the table {@code dataset}. */
    static final String SQL = "case when dataset_name ~ '" + BlankText.VISIBLE
            + "' then dataset_name else 'Dataset ' || id end";

    private static final Pattern OF_ID = Pattern.compile("Dataset ([1-9]\\d{0,15})");

    private DatasetTitle() {
    }

    public static String of(String name, long id) {
        return BlankText.isBlank(name) ? "Dataset " + id : name;
    }

    /** The id of the dataset that has this title if its name is blank; null if no dataset has. */
    static Long id(String title) {
        Matcher matcher = OF_ID.matcher(title);
        return matcher.matches() ? Long.valueOf(matcher.group(1)) : null;
    }
}
