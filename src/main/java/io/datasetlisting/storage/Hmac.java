package io.datasetlisting.storage;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The platform's keyed hashes, none of whose checked exceptions can happen. */
final class Hmac {

    private Hmac() {
    }

    static Mac keyed(String algorithm, byte[] key) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }

    /** A copy costs far less than keying a new one. */
    static Mac copy(Mac mac) {
        try {
            return (Mac) mac.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the platform's " + mac.getAlgorithm() + " can be copied", e);
        }
    }

    /** Into a buffer that is there. */
    static void finish(Mac mac, byte[] target) {
        try {
            mac.doFinal(target, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the buffer is as long as the hash", e);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
