package io.datasetlisting.base;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Wraps the JDK's {@link Mac}, whose checked exceptions cannot occur here. */
public final class Hmac {

    private Hmac() {
    }

    /** A new MAC with a key. */
    public static Mac keyed(String algorithm, byte[] key) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each Java platform has " + algorithm, e);
        }
    }

    /** A copy of a MAC with its key, which costs far less than a new one. */
    public static Mac copy(Mac mac) {
        try {
            return (Mac) mac.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the platform's " + mac.getAlgorithm() + " can be copied", e);
        }
    }

    /** The bytes of a text in UTF-8. */
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
