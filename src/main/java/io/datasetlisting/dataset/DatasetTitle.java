package io.datasetlisting.dataset;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The title of a dataset for people and in items: its name, or a text with its id where the name is blank. */
public final class DatasetTitle {

    /** The characters that {@link String#isBlank} counts as space. */
    static final String SPACE = "\t\n\u000b\f\r\u001c\u001d\u001e\u001f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
            + "\u2008\u2009\u200a\u2028\u2029\u205f\u3000";

    /** The title in a row of the table {@code dataset}. */
    static final String SQL = "case when btrim(dataset_name, '" + SPACE
            + "') = '' then 'Dataset ' || id else dataset_name end";

    private static final Pattern OF_ID = Pattern.compile("Dataset ([1-9]\\d{0,15})");

    private DatasetTitle() {
    }

    public static String of(String name, long id) {
        return name.isBlank() ? "Dataset " + id : name;
    }

    /** The id of the dataset that has this title if its name is blank; null if no dataset has. */
    static Long id(String title) {
        Matcher matcher = OF_ID.matcher(title);
        return matcher.matches() ? Long.valueOf(matcher.group(1)) : null;
    }
}
