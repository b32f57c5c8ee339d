package io.datasetlisting.base;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Makes SHA-256 hashes. */
public final class Sha256 {

    private Sha256() {
    }

    /** A digest for a hash of several parts. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The hash of a text in UTF-8. */
    public static byte[] of(String text) {
        return digest().digest(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The first 63 bits of the hash. */
    public static long number(byte[] bytes) {
        return ByteBuffer.wrap(digest().digest(bytes)).getLong() & Long.MAX_VALUE;
    }
}
