package io.datasetlisting.http.paging;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

import javax.crypto.Mac;

import jakarta.inject.Singleton;

import io.datasetlisting.base.Hmac;
import io.smallrye.mutiny.Uni;

/**
 * Makes opaque tokens of positions. A token is its content and an authentication code, which also covers a scope: what is asked,
 * and what the caller may see. A token that was changed, or that has another scope, cannot be read. All instances have the same
 * key.
 */
@Singleton
public class SignedTokens {

    private static final String ALGORITHM = "HmacSHA256";
    /** Half of the code's bytes: as hard to guess as a random UUID. */
    private static final int CODE_LENGTH = 16;

    private final TokenKeyRepository repository;
    private volatile Mac keyed;

    SignedTokens(TokenKeyRepository repository) {
        this.repository = repository;
    }

    /** The tokens of a scope. The key never changes, so it is read once. */
    public Uni<Signer> of(String scope) {
        Mac known = keyed;
        return known != null
                ? Uni.createFrom().item(new Signer(known, scope))
                : repository.read().map(key -> Hmac.keyed(ALGORITHM, key)).invoke(mac -> keyed = mac)
                        .map(mac -> new Signer(mac, scope));
    }

    /** The content of a token of any scope and any key, or null. Nothing proves that this service has written it. */
    static byte[] readUnchecked(String token) {
        byte[] bytes = decode(token);
        return bytes == null ? null : content(bytes);
    }

    private static byte[] decode(String token) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token);
            return bytes.length > CODE_LENGTH ? bytes : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static byte[] content(byte[] token) {
        return Arrays.copyOfRange(token, CODE_LENGTH, token.length);
    }

    /** Makes and checks the tokens of one scope. */
    public static final class Signer {

        private final Mac mac;

        private Signer(Mac keyed, String scope) {
            mac = Hmac.copy(keyed);
            mac.update(scope.getBytes(StandardCharsets.UTF_8));
        }

        /** The token of a content: letters, digits, hyphens and underscores. */
        public String write(byte[] content) {
            byte[] token = Arrays.copyOf(code(content), CODE_LENGTH + content.length);
            System.arraycopy(content, 0, token, CODE_LENGTH, content.length);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
        }

        /** The content of a token, or null if the token is not of this scope. */
        public byte[] read(String token) {
            byte[] bytes = decode(token);
            if (bytes == null) {
                return null;
            }
            byte[] content = content(bytes);
            return MessageDigest.isEqual(Arrays.copyOf(bytes, CODE_LENGTH), code(content)) ? content : null;
        }

        private byte[] code(byte[] content) {
            return Arrays.copyOf(Hmac.copy(mac).doFinal(content), CODE_LENGTH);
        }
    }
}
