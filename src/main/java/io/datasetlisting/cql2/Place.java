package io.datasetlisting.cql2;

import java.nio.charset.StandardCharsets;

import io.datasetlisting.base.ApiException;

/** A place in a parameter, which an error names. The name is made only for an error. */
sealed interface Place {

    /** The largest number of characters of a name that an error repeats. */
    int MAX_NAME = 64;

    /** The name of the parameter. */
    String parameter();

    /** The error of status 400 for this place. */
    default ApiException refuse(String reason) {
        String place = toString();
        return new ApiException(400, parameter() + ": " + reason + (place.isEmpty() ? "." : " at " + place + "."));
    }

    /** A name of the client, as an error repeats it. */
    static String quote(String name) {
        String cut = name.codePointCount(0, name.length()) > MAX_NAME
                ? name.substring(0, name.offsetByCodePoints(0, MAX_NAME)) + "..."
                : name;
        // Replaces halves of surrogate pairs, which an answer cannot contain.
        return "'" + new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8) + "'";
    }

    /**
     * A place in a text.
     *
     * @param index
     *            in the text, from 0
     */
    record InText(String parameter, String text, int index) implements Place {

        @Override
        public String toString() {
            return "character " + (text.codePointCount(0, index) + 1);
        }
    }

    /** The root of a JSON value. */
    record Root(String parameter) implements Place {

        @Override
        public String toString() {
            return "";
        }
    }

    /** A member of a JSON object, or an element of an array. */
    record Member(Place parent, Object key) implements Place {

        @Override
        public String parameter() {
            return parent.parameter();
        }

        /** A JSON pointer. */
        @Override
        public String toString() {
            return parent + "/" + key;
        }
    }

    default Place member(Object key) {
        return new Member(this, key);
    }
}
