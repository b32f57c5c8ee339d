package io.datasetlisting.write.change;

import io.datasetlisting.dataset.StoredDataset;

/** Writes the datasets of changes in the form of one API. */
public interface EntryWriter {

    /** The name of the member that contains the dataset. */
    String member();

    /**
     * The JSON of a dataset.
     *
     * @param base
     *            the public address, without a slash at its end
     */
    byte[] write(StoredDataset stored, String base);

    /** More members of a change, each behind a comma; empty for none. */
    default String details(StoredDataset stored) {
        return "";
    }

    /** The members that name a dataset that is gone. */
    String gone(long id, String uavUid);
}
