package io.datasetlisting.http.paging;

import java.nio.ByteBuffer;
import java.time.Clock;

import jakarta.inject.Singleton;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Writes positions in the feed of changes as tokens, and reads them. A token belongs to what the caller may see and to the
 * filters of a request.
 */
@Singleton
public class ChangeCursors {

    /** A bit of a listing version for each pending change; the rest is the number of the fold. */
    private static final int PENDING_BITS = 28;

    /** The parameters that are no filters. */
    private static final String[] OTHERS = {"since", "cursor", "limit", "wait", "block", "p", "page", "page_size",
            "ordering",
            "format",
            "fields", "f", "token"};

    private final SealedTokens tokens;
    private final EpochRepository epochs;
    private final PublicUrl publicUrl;
    private final Clock clock;

    ChangeCursors(SealedTokens tokens, EpochRepository epochs, PublicUrl publicUrl, Clock clock) {
        this.tokens = tokens;
        this.epochs = epochs;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    /** The tokens of one audience and its filters. */
    public static final class Scope {

        private final SealedTokens.Sealer tokens;

        private Scope(SealedTokens.Sealer tokens) {
            this.tokens = tokens;
        }

        public String write(ChangeCursor cursor) {
            return tokens.write(cursor.epochBytes(), cursor.positionBytes());
        }

        /** The position, or null if the token belongs to another audience or to other filters, or was changed. */
        public ChangeCursor read(String token) {
            byte[] content = tokens.read(token, ChangeCursor.EPOCH_BYTES);
            return content == null ? null : ChangeCursor.of(content);
        }
    }

    /** The filters of a request, without its other parameters. */
    public static QueryString filters(QueryString query) {
        return query.without(OTHERS);
    }

    /**
     * The tokens of a request.
     *
     * @param feed
     *            the path of the feed: its filters have names of their own
     * @param audience
     *            the name of what the caller may see
     * @param block
     *            the only block that is read; null for all
     */
    public Uni<Scope> of(String feed, String audience, QueryString query, Long block) {
        return tokens.of(feed + '\n' + audience + '\n' + block + '\n' + filters(query) + '\n').map(Scope::new);
    }

    /** Whether a token that cannot be read is a position in the feed of another database, for example of a lost origin. */
    public Uni<Boolean> isOfAnotherDatabase(String token) {
        ByteBuffer epoch = SealedTokens.readPublic(token, ChangeCursor.EPOCH_BYTES);
        return epoch == null
                ? Uni.createFrom().item(false)
                : epochs.isKnown(ChangeCursor.epoch(epoch)).map(isKnown -> !isKnown);
    }

    /**
     * The header {@code Link} to the changes after a page or an export with the same filters.
     *
     * @param listing
     *            the listing version of the snapshot, or of one before it
     * @param audience
     *            the name of what the caller may see
     */
    public Uni<String> link(long listing, String audience, RoutingContext context) {
        QueryString query = QueryString.parse(context.request().query());
        String path = Endpoints.DATASETS + Endpoints.CHANGES;
        return of(path, audience, query, null).chain(scope -> epochs.newest()
                .map(epoch -> '<' + filters(query)
                        .with("since", scope.write(ChangeCursor.after(epoch, listing >> PENDING_BITS, clock.instant())))
                        .appendTo(publicUrl.of(path, context.request())) + ">; rel=\"changes\""));
    }
}
