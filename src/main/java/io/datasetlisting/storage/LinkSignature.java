package io.datasetlisting.storage;

/** Signs links that all end at the same moment. Not for use by two threads at once. */
interface LinkSignature {

    /**
     * Adds the query that gives the right to read an object.
     *
     * @param link
     *            ends with the object's path
     * @param path
     *            holds the object's key, percent-encoded
     * @param length
     *            of the key in it
     */
    void sign(StringBuilder link, byte[] path, int length);

    /** Another one like it, for another thread. */
    LinkSignature copy();
}
