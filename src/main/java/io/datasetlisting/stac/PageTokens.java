package io.datasetlisting.stac;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

import javax.crypto.Mac;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.datasetlisting.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.input.StrictJson;
import io.datasetlisting.search.Search.Position;
import io.datasetlisting.search.SearchRepository;
import io.datasetlisting.storage.Hmac;
import io.smallrye.mutiny.Uni;

/**
 * Writes positions as opaque tokens, and reads them. A token is the position and its authentication code, which also covers the
 * search and what the caller may see: a token that was changed, or that belongs to another search, is refused. All instances have
 * the same key.
 */
@Singleton
public class PageTokens {

    private static final String ALGORITHM = "HmacSHA256";
    /** Half of the code's bytes: as hard to guess as a random UUID. */
    private static final int CODE_LENGTH = 16;

    private final SearchRepository listing;
    private volatile Mac keyed;

    PageTokens(SearchRepository listing) {
        this.listing = listing;
    }

    /** The tokens of a search. The limit may change from page to page. */
    Uni<Signer> of(SearchBody.Request request, Caller caller) {
        String visible = caller.isAdmin() ? "all" : String.valueOf(caller.accountId());
        String search = visible + '\n' + request.identity() + '\n';
        return keyed().map(mac -> new Signer(mac, search));
    }

    /** The key never changes, so it is read once. */
    private Uni<Mac> keyed() {
        Mac known = keyed;
        return known != null
                ? Uni.createFrom().item(known)
                : listing.searchKey().map(key -> Hmac.keyed(ALGORITHM, key)).invoke(mac -> keyed = mac);
    }

    /** Makes and checks the tokens of one search. */
    public static final class Signer {

        private final Mac mac;

        private Signer(Mac keyed, String search) {
            mac = Hmac.copy(keyed);
            mac.update(search.getBytes(StandardCharsets.UTF_8));
        }

        String write(Position position) {
            ArrayNode values = JsonNodeFactory.instance.arrayNode().add(position.backward()).add(position.count())
                    .add(position.listing());
            position.edge().forEach(values::add);
            byte[] content = values.toString().getBytes(StandardCharsets.UTF_8);
            byte[] token = Arrays.copyOf(code(content), CODE_LENGTH + content.length);
            System.arraycopy(content, 0, token, CODE_LENGTH, content.length);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
        }

        /**
         * @throws ApiException
         *             400 for a token that is not of this search
         */
        Position read(String token) {
            byte[] bytes = decode(token);
            if (bytes.length > CODE_LENGTH) {
                byte[] content = Arrays.copyOfRange(bytes, CODE_LENGTH, bytes.length);
                if (MessageDigest.isEqual(Arrays.copyOf(bytes, CODE_LENGTH), code(content))) {
                    return position(StrictJson.parse(content, 0, content.length));
                }
            }
            throw new ApiException(400, "token: the token is not of this search.");
        }

        private static byte[] decode(String token) {
            try {
                return Base64.getUrlDecoder().decode(token);
            } catch (IllegalArgumentException e) {
                return new byte[0];
            }
        }

        private static Position position(JsonNode values) {
            List<String> edge = new ArrayList<>();
            for (int i = 3; i < values.size(); i++) {
                edge.add(values.get(i).textValue());
            }
            return new Position(values.get(0).booleanValue(), values.get(1).longValue(), values.get(2).longValue(),
                    edge);
        }

        private byte[] code(byte[] content) {
            return Arrays.copyOf(Hmac.copy(mac).doFinal(content), CODE_LENGTH);
        }
    }
}
