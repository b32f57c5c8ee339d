package io.datasetlisting.http.paging;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;

import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import jakarta.inject.Singleton;

import io.datasetlisting.base.Hmac;
import io.smallrye.mutiny.Uni;

/**
 * Makes tokens of positions that only the service can read: a position contains numbers that also move with writes of datasets
 * that its caller does not see. A token is encrypted with a key of its scope (what is asked, and what the caller may see) and
 * with a random number. So a token that was changed, or that has another scope, cannot be read, and equal positions have
 * different tokens. All instances have the same key.
 *
 * @see <a href="https://csrc.nist.gov/pubs/sp/800/38/d/final">NIST SP 800-38D, Galois/Counter Mode</a>
 */
@Singleton
public class SealedTokens {

    private static final String KEY_DERIVATION = "HmacSHA256";
    private static final String CIPHER = "AES/GCM/NoPadding";
    /** Bytes of the random number, as the mode wants it. */
    private static final int NONCE_LENGTH = 12;
    /** Bits of the authentication code: as hard to guess as a random UUID. */
    private static final int CODE_BITS = 128;

    private final TokenKeyRepository repository;
    private final SecureRandom random = new SecureRandom();
    private volatile Mac keyed;

    SealedTokens(TokenKeyRepository repository) {
        this.repository = repository;
    }

    /** The tokens of a scope. The key never changes, so it is read once. */
    public Uni<Sealer> of(String scope) {
        Mac known = keyed;
        return known != null
                ? Uni.createFrom().item(new Sealer(known, scope))
                : repository.read().map(key -> Hmac.keyed(KEY_DERIVATION, key)).invoke(mac -> keyed = mac)
                        .map(mac -> new Sealer(mac, scope));
    }

    /**
     * The public part of a token of any scope and any key, or null. Nothing proves that this service has written it.
     *
     * @param length
     *            of the public part
     */
    static ByteBuffer readPublic(String token, int length) {
        byte[] bytes = decode(token, length);
        return bytes == null ? null : ByteBuffer.wrap(bytes, 0, length);
    }

    private static byte[] decode(String token, int open) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token);
            return bytes.length > open + NONCE_LENGTH + CODE_BITS / Byte.SIZE ? bytes : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Makes and reads the tokens of one scope. */
    public final class Sealer {

        private final SecretKey key;

        private Sealer(Mac keyed, String scope) {
            key = new SecretKeySpec(Hmac.copy(keyed).doFinal(scope.getBytes(StandardCharsets.UTF_8)), "AES");
        }

        /**
         * The token of a content: letters, digits, hyphens and underscores.
         *
         * @param open
         *            the public part: everybody can read it, nobody can change it
         */
        public String write(byte[] open, byte[] content) {
            byte[] nonce = new byte[NONCE_LENGTH];
            random.nextBytes(nonce);
            try {
                byte[] sealed = cipher(Cipher.ENCRYPT_MODE, open, nonce).doFinal(content);
                return Base64.getUrlEncoder().withoutPadding().encodeToString(
                        ByteBuffer.allocate(open.length + nonce.length + sealed.length).put(open).put(nonce).put(sealed)
                                .array());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("each Java platform has " + CIPHER, e);
            }
        }

        /**
         * The content of a token, behind its public part, or null if the token is not of this scope.
         *
         * @param open
         *            length of the public part
         */
        public byte[] read(String token, int open) {
            byte[] bytes = decode(token, open);
            if (bytes == null) {
                return null;
            }
            ByteBuffer parts = ByteBuffer.wrap(bytes);
            byte[] known = new byte[open];
            byte[] nonce = new byte[NONCE_LENGTH];
            parts.get(known).get(nonce);
            try {
                byte[] content = cipher(Cipher.DECRYPT_MODE, known, nonce).doFinal(bytes, parts.position(),
                        parts.remaining());
                return ByteBuffer.allocate(open + content.length).put(known).put(content).array();
            } catch (AEADBadTagException e) {
                return null;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("each Java platform has " + CIPHER, e);
            }
        }

        private Cipher cipher(int mode, byte[] open, byte[] nonce) throws GeneralSecurityException {
            Cipher cipher = Cipher.getInstance(CIPHER);
            cipher.init(mode, key, new GCMParameterSpec(CODE_BITS, nonce));
            cipher.updateAAD(open);
            return cipher;
        }
    }
}
