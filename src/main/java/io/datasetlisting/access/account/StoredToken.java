package io.datasetlisting.access.account;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A token with its caller, as the database had it when the cache entry was read.
 *
 * @param lastUsed
 *            null before the first use
 * @param refused
 *            why the token is not valid, whatever the time is; null if it is
 * @param seenUntil
 *            the moment until which the token's subject need not be seen again; null for a token without this bound
 * @param useRecorded
 *            whether a use has been stored since the cache entry was read
 */
record StoredToken(long id, byte[] keyHash, Caller caller, Instant lastUsed, String refused, Instant seenUntil,
        AtomicBoolean useRecorded) {

    /** The sentence for a token that is not valid, or null. */
    String refusalAt(Instant now) {
        if (refused != null) {
            return refused;
        }
        if (caller.expires() != null && !now.isBefore(caller.expires())) {
            return "The token has expired.";
        }
        return seenUntil == null || now.isBefore(seenUntil)
                ? null
                : "The identity that made the token has not signed in for too long.";
    }
}
