package io.datasetlisting.account;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a token is good for; each right includes the ones before it. */
public enum Right {
    /** Sees what its account owns. */
    READER,
    /** Creates datasets, and changes and deletes those of its account. */
    WRITER,
    /** Sees and changes everything. */
    ADMIN;

    /** The names on the wire. */
    static final List<String> NAMES = Arrays.stream(values()).map(Right::toString).toList();

    static Right of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    @JsonValue
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
