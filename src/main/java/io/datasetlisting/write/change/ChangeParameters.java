package io.datasetlisting.write.change;

import java.time.Clock;
import java.time.Instant;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.IsoInstant;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ChangeCursor;
import io.datasetlisting.http.paging.ChangeCursors;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Parses the parameters of the feed that are no filters: {@code since}, {@code limit}, {@code wait} and {@code block}. */
@Singleton
public class ChangeParameters {

    /** The names of the parameters. */
    public static final String[] NAMES = {"since", "limit", "wait", "block"};

    static final int MAX_LIMIT = 1000;
    static final int MAX_WAIT = 60;
    /**
     * A longer wait ends after so many seconds: many proxies end a request of which they have received nothing for 60 seconds,
     * and HAProxy as Debian installs it after 50.
     */
    static final int LONGEST_WAIT = 45;
    /** Longer texts are no tokens. */
    private static final int MAX_TOKEN = 4096;
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private final ChangeCursors cursors;
    private final Clock clock;

    ChangeParameters(ChangeCursors cursors, Clock clock) {
        this.cursors = cursors;
        this.clock = clock;
    }

    /**
     * @param path
     *            the path of the feed
     *
     * @throws ApiException
     *             400 with all wrong numbers, or else for a wrong position
     */
    public Uni<ChangeQuery> parse(String path, Expression filter, RoutingContext context) {
        QueryString query = QueryString.parse(context.request().query());
        DrfFields fields = DrfFields.of(query);
        Integer limit = number(fields, "limit", 1, MAX_LIMIT);
        Integer wait = number(fields, "wait", 0, MAX_WAIT);
        Long block = fields.has("block") ? fields.integer("block", 0) : null;
        fields.check();
        Caller caller = Caller.of(context);
        return cursors.of(path, caller.audience(), query, block).chain(scope -> position(since(query, context), scope)
                .map(position -> new ChangeQuery(filter, caller, block, position, limit == null ? MAX_LIMIT : limit,
                        wait == null ? 0 : Math.min(wait, LONGEST_WAIT), scope,
                        path + '\n' + caller.audience() + '\n' + block + '\n'
                                + ChangeCursors.filters(query))));
    }

    /**
     * The position of the digest.
     *
     * @throws ApiException
     *             400 without a position
     */
    Uni<ChangeQuery> parseDigest(String feed, Expression filter, RoutingContext context) {
        QueryString query = QueryString.parse(context.request().query());
        String token = query.get("cursor");
        if (token == null || token.isEmpty()) {
            throw DrfFields.invalid("cursor", "This field is required.");
        }
        Caller caller = Caller.of(context);
        return cursors.of(feed, caller.audience(), query, null).chain(scope -> read(token, "cursor", scope)
                .map(position -> new ChangeQuery(filter, caller, null, position, 0, 0, scope, null)));
    }

    private static Integer number(DrfFields fields, String name, int min, int max) {
        Long value = fields.has(name) ? fields.integer(name, min) : null;
        return value != null && value > max
                ? fields.refuse(name, "Ensure this value is less than or equal to " + max + ".")
                : value == null ? null : Integer.valueOf(value.intValue());
    }

    /** A client of server-sent events that connects again sends the header. */
    private static String since(QueryString query, RoutingContext context) {
        String last = context.request().getHeader(LAST_EVENT_ID);
        return last == null || last.isEmpty() ? query.get("since") : last;
    }

    private Uni<ChangeCursor> position(String since, ChangeCursors.Scope scope) {
        if (since == null || since.isEmpty()) {
            return Uni.createFrom().item(ChangeCursor.START);
        }
        Instant time = IsoInstant.parse(since);
        return time == null
                ? read(since, "since", scope)
                : Uni.createFrom().item(ChangeCursor.before(time, clock.instant()));
    }

    private Uni<ChangeCursor> read(String token, String name, ChangeCursors.Scope scope) {
        boolean isLong = token.length() > MAX_TOKEN;
        ChangeCursor cursor = isLong ? null : scope.read(token);
        if (cursor != null) {
            return Uni.createFrom().item(cursor);
        }
        Uni<Boolean> isOfAnother = isLong ? Uni.createFrom().item(false) : cursors.isOfAnotherDatabase(token);
        return isOfAnother.map(isLost -> {
            throw isLost
                    ? LostPositionException.ofAnotherCatalogue()
                    : DrfFields.invalid(name, "This is neither a position of this caller with these filters, nor a time"
                            + " such as 2023-05-31T12:00:00Z.");
        });
    }
}
