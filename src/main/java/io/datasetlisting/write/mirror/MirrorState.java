package io.datasetlisting.write.mirror;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * What a database knows about itself and its origin.
 *
 * @param id
 *            the identity of its catalogue
 * @param origin
 *            the address of the origin; null if the database never was a mirror
 * @param originId
 *            the identity of the origin's catalogue; null if it is not known
 * @param cursor
 *            null before the first page
 * @param complete
 *            whether the mirror has been a copy once
 * @param lag
 *            the time since the mirror had all changes
 * @param promoted
 *            the time of the first own write since the database follows the origin, or null
 */
record MirrorState(UUID id, String origin, UUID originId, String cursor, boolean complete, Duration lag,
        Instant promoted,
        boolean hasDatasets) {

    /**
     * What an origin has told.
     *
     * @param id
     *            null if it is too old to tell its identity
     */
    record Catalogue(UUID id) {
    }

    /** The service must not follow. The message is one sentence for the operator. */
    static final class RefusedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * Whether an address leads to another origin than that of the database.
     *
     * @param told
     *            null if the origin is away; its pages tell later
     */
    boolean isOther(String url, Catalogue told) {
        if (originId == null || told != null && told.id == null) {
            return !url.equals(origin);
        }
        return told != null && !told.id.equals(originId);
    }

    /** Fails if the service must not copy datasets of this origin over those of the database, whatever the operator says. */
    void checkNotItself(String url, Catalogue told) {
        if (told != null && id.equals(told.id)) {
            throw new RefusedException("This service follows itself: dataset.follow.url=" + url
                    + " leads to the catalogue of its own database, or to one from which this database was restored");
        }
    }

    /** Fails if datasets that are only in this database would be lost. */
    void checkReplaceable(String url, Catalogue told) {
        if (promoted != null) {
            throw refused("This database was promoted and has writes of its own since " + promoted, url);
        } else if (hasDatasets && origin == null) {
            throw refused("This database has datasets and is no mirror", url);
        } else if (hasDatasets && isOther(url, told)) {
            throw refused("This database is a mirror of another catalogue, of " + origin, url);
        }
    }

    /**
     * Whether the datasets of the database are to be replaced. Fails if the database must not become a mirror of this origin.
     *
     * @param replaced
     *            the identity of the catalogue whose datasets may be lost
     */
    boolean checkReplaced(String url, Catalogue told, Optional<UUID> replaced) {
        checkNotItself(url, told);
        boolean isReplaced = replaced.filter(id::equals).isPresent();
        if (!isReplaced) {
            checkReplaceable(url, told);
        }
        return isReplaced;
    }

    private RefusedException refused(String reason, String url) {
        return new RefusedException(reason + ", so that it does not follow dataset.follow.url=" + url
                + "; to delete everything in it and copy that catalogue, set dataset.follow.replace=" + id);
    }

    /** Fails if a page of an origin must not be written. */
    void checkFollows(String url, Catalogue told) {
        checkNotItself(url, told);
        checkReplaceable(url, told);
        if (isOther(url, told)) {
            throw refused("This database is a mirror of another catalogue, of " + origin, url);
        }
    }
}
