package io.datasetlisting.access.account;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** The right of a token. Each right includes the rights before it. */
public enum Right {
    /** Sees the datasets of its account, in addition to the public ones. */
    READER,
    /** Creates datasets, and changes and deletes those of its account. */
    WRITER,
    /** Sees and changes everything. */
    ADMIN;

    /** The names in JSON. */
    public static final List<String> NAMES = Arrays.stream(values()).map(Right::toString).toList();

    /** The right with a name of {@link #NAMES}. */
    public static Right of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
