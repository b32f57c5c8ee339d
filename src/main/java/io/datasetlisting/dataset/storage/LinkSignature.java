package io.datasetlisting.dataset.storage;

/** Signs the links of one link window. Not thread-safe. */
interface LinkSignature {

    /**
     * Appends the query that grants read access to an object.
     *
     * @param link
     *            the absolute URL of the object
     * @param path
     *            the object's key, percent-encoded
     */
    void sign(StringBuilder link, byte[] path);

    /** A copy for another thread. */
    LinkSignature copy();
}
