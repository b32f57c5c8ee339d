package io.datasetlisting.faces.stac;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.search.Search.Position;
import io.datasetlisting.http.input.StrictJson;
import io.datasetlisting.http.paging.SealedTokens;
import io.smallrye.mutiny.Uni;

/** Writes positions of searches as opaque tokens, and reads them. */
@Singleton
public class PageTokens {

    /** A position has no public part. */
    private static final byte[] OPEN = {};

    private final SealedTokens tokens;

    PageTokens(SealedTokens tokens) {
        this.tokens = tokens;
    }

    /** The tokens of a search. The limit may change from page to page. */
    Uni<Signer> of(SearchBody.Request request, Caller caller) {
        return tokens.of(caller.audience() + '\n' + request.identity() + '\n').map(Signer::new);
    }

    /** Makes and checks the tokens of one search. */
    public static final class Signer {

        private final SealedTokens.Sealer tokens;

        private Signer(SealedTokens.Sealer tokens) {
            this.tokens = tokens;
        }

        String write(Position position) {
            ArrayNode values = JsonNodeFactory.instance.arrayNode().add(position.backward()).add(position.count())
                    .add(position.listing());
            position.edge().forEach(values::add);
            return tokens.write(OPEN, values.toString().getBytes(StandardCharsets.UTF_8));
        }

        /**
         * @throws ApiException
         *             400 for a token that is not of this search
         */
        Position read(String token) {
            byte[] content = tokens.read(token, OPEN.length);
            if (content == null) {
                throw new ApiException(400, "token: the token is not of this search.");
            }
            JsonNode values = StrictJson.parse(content, 0, content.length);
            List<String> edge = new ArrayList<>();
            for (int i = 3; i < values.size(); i++) {
                edge.add(values.get(i).textValue());
            }
            return new Position(values.get(0).booleanValue(), values.get(1).longValue(), values.get(2).longValue(),
                    edge);
        }
    }
}
