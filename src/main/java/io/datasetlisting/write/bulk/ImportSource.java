package io.datasetlisting.write.bulk;

import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.base.ApiException;
import io.smallrye.mutiny.Multi;

/** Where the rows of an import come from. The event loop of the request calls all methods. */
interface ImportSource {

    /** The rows, some at a time, as the subscriber requests them. */
    Multi<List<ImportedRow>> rows();

    /**
     * Whether rows have been read. Before, an error of the API is the response; otherwise the last line of a response 200 has
     * it.
     */
    default boolean hasBegun() {
        return true;
    }

    /** The error of a client that sends too slowly; otherwise null. */
    default ApiException lateness() {
        return null;
    }

    /** Adds to the last line what no dataset keeps. */
    default void describe(ObjectNode last) {
        // All is kept or refused.
    }

    /** Gives everything back, after the end or before it. */
    default void close() {
        // Nothing is held.
    }
}
