package io.datasetlisting.write.change;

import java.time.Duration;
import java.util.function.Function;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.RestMulti;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.listing.StreamConfig;
import io.datasetlisting.catalogue.listing.StreamLimits;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.Representation;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.write.bulk.LiveStream;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/** Answers requests for changes, as a page or as a stream. */
@Singleton
public class ChangeResponses {

    /** Seconds between two events, if nothing changes and the client names no others. */
    private static final int BOOKMARK = 15;

    private final ChangeFeed feed;
    private final ChangeJson json;
    private final StreamLimits limits;
    private final PublicUrl publicUrl;
    /** A stream ends before the longest duration of streams, so that it does not break off. */
    private final Duration lifetime;

    ChangeResponses(ChangeFeed feed, ChangeJson json, StreamLimits limits, StreamConfig config, PublicUrl publicUrl) {
        this.feed = feed;
        this.json = json;
        this.limits = limits;
        this.publicUrl = publicUrl;
        lifetime = config.maxExportTime().multipliedBy(9).dividedBy(10);
    }

    /** A page as JSON, or 304 if the client knows it. */
    public Uni<Response> page(Uni<ChangeQuery> parsed, EntryWriter entries, RoutingContext context) {
        return parsed.chain(query -> {
            Uni<ChangePage> page = query.seconds() > 0 && context.request().method() == HttpMethod.GET
                    ? feed.await(query, context)
                    : feed.read(query);
            return page.map(changes -> json.page(changes, form(query, entries, context)));
        }).map(written -> respond(written, context))
                .onFailure(LostPositionException.class).transform(e -> lost(e, context));
    }

    private static Response respond(ChangePage.Representation written, RoutingContext context) {
        return written.tag().respond(context, written.bytes(), MediaTypes.JSON).build();
    }

    /** All changes up to the newest as lines, or the changes as they come as server-sent events. */
    public RestMulti<byte[]> stream(Uni<ChangeQuery> parsed, EntryWriter entries, RoutingContext context) {
        Multi<byte[]> chunks = Representation.of(context).mediaType().equals(MediaTypes.EVENT_STREAM)
                ? limits.limitShared(parsed.onItem().transformToMulti(query -> events(query, entries, context))
                        .onFailure(LostPositionException.class)
                        .recoverWithItem(e -> ChangeJson.reset(lost(e, context).getMessage())), context)
                : limits.limit(parsed.onItem().transformToMulti(query -> lines(query, entries, context)), context);
        RestMulti.SyncRestMulti.Builder<byte[]> response = RestMulti.fromMultiData(
                chunks.onFailure(LostPositionException.class).transform(e -> lost(e, context)));
        LiveStream.HEADERS.forEach(response::header);
        return response.build();
    }

    /** The answer to {@code HEAD} of a stream. */
    Uni<Response> head(Uni<ChangeQuery> parsed, RoutingContext context) {
        return parsed.map(query -> {
            Response.ResponseBuilder response = Response.ok().type(Representation.of(context).mediaType());
            LiveStream.HEADERS.forEach(response::header);
            return response.build();
        })
                .onFailure(LostPositionException.class).transform(e -> lost(e, context));
    }

    private Multi<byte[]> lines(ChangeQuery query, EntryWriter entries, RoutingContext context) {
        ChangeJson.Form form = form(query, entries, context);
        return feed.readAll(query, page -> json.lines(page, form));
    }

    private Multi<byte[]> events(ChangeQuery query, EntryWriter entries, RoutingContext context) {
        ChangeJson.Form form = form(query, entries, context);
        return Multi.createBy().concatenating().streams(
                Multi.createFrom().item(ChangeJson.RETRY),
                feed.follow(query.waiting(query.seconds() == 0 ? BOOKMARK : query.seconds()), context, lifetime,
                        page -> json.events(page, form)),
                Multi.createFrom().item(ChangeJson.RETRY));
    }

    /** The digest at the position of a client. */
    Uni<Response> digest(Uni<ChangeQuery> parsed, Function<ChangeQuery, Uni<Digest>> reader, RoutingContext context) {
        return parsed
                .chain(query -> reader.apply(query)
                        .map(digest -> ChangeJson.digest(digest,
                                QueryString.parse(context.request().query()).get("cursor"))))
                .map(body -> EntityTag.ofContent(body).respond(context, body, MediaTypes.JSON).build())
                .onFailure(LostPositionException.class).transform(e -> lost(e, context));
    }

    private ChangeJson.Form form(ChangeQuery query, EntryWriter entries, RoutingContext context) {
        return new ChangeJson.Form(entries, publicUrl.of("", context.request()), query.scope());
    }

    private ApiException lost(Throwable e, RoutingContext context) {
        String path = context.request().path().replaceFirst("digest/$", "");
        return new ApiException(410, "This position is not valid any more: " + e.getMessage() + ". Begin again at "
                + publicUrl.of(path, context.request()) + " without since.");
    }
}
