package io.datasetlisting.dataset.storage;

/** Signs the links of one link window. Not thread-safe. */
interface LinkSignature {

    /**
     * Appends the query that grants read access to an object.
     *
     * @param link
     *            the absolute URL of the object
     * @param path
     *            a buffer that begins with the object's key, percent-encoded
     * @param length
     *            length of the key in the buffer
     */
    void sign(StringBuilder link, byte[] path, int length);

    /** A copy for another thread. */
    LinkSignature copy();
}
