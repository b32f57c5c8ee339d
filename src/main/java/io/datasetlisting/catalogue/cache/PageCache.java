package io.datasetlisting.catalogue.cache;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.base.HeapShare;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.http.Compression;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.Representation;
import io.datasetlisting.http.RequestEnd;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * Caches pages, for each account and right those of its own. A cached page is sent again while the listing version that is
 * known and the link window are the same.
 */
// Caffeine loads its classes by name.
@RegisterForReflection(classNames = {"com.github.benmanes.caffeine.cache.SSSMWA",
        "com.github.benmanes.caffeine.cache.PSAMW"})
@Singleton
public class PageCache {

    /** Bytes of an entry besides its texts and bodies: the objects that hold them, and the bookkeeping of the cache. */
    private static final int OVERHEAD = 600;
    /** Pages that people and programs ask for have shorter addresses. */
    private static final int MAX_KEY_LENGTH = 4096;
    private static final String KEY = PageCache.class.getName();
    /** Besides tiles, aggregations and the pages of STAC. */
    private static final Set<String> PATHS = Set.of(Endpoints.DATASETS, Endpoints.DATASETS + Endpoints.FACETS,
            Endpoints.DATASETS + Endpoints.HISTOGRAM, Endpoints.PAGES, Endpoints.PAGES + Endpoints.CHANGES,
            Endpoints.PAGES + Endpoints.GRID,
            Endpoints.PAGES + Endpoints.SUGGEST);

    private final ListingVersion version;
    private final ThumbnailLinks thumbnails;
    private final PublicUrl publicUrl;
    private final Cache<Key, Answer> answers;

    PageCache(ListingVersion version, ThumbnailLinks thumbnails, PublicUrl publicUrl, CacheConfig config,
            MeterRegistry meters) {
        this.version = version;
        this.thumbnails = thumbnails;
        this.publicUrl = publicUrl;
        answers = Caffeine.newBuilder().maximumWeight(HeapShare.PAGES.bytes(config.pages()))
                .<Key, Answer>weigher(PageCache::weight)
                .expireAfterAccess(10, TimeUnit.MINUTES)
                .executor(Runnable::run).recordStats().build();
        CaffeineCacheMetrics.monitor(meters, answers, "dataset.pages");
    }

    /**
     * All that a response depends on.
     *
     * @param account
     *            of the caller; null for an anonymous caller
     * @param right
     *            decides which datasets the caller sees, and from which server they are read; null for an anonymous caller
     * @param language
     *            null unless the response is a page or an Atom feed
     */
    record Key(Long account, Right right, String url, String query, String mediaType, Language language) {

        boolean isTooLong() {
            return url.length() + length(query) + length(mediaType) > MAX_KEY_LENGTH;
        }

        private static int length(String text) {
            return text == null ? 0 : text.length();
        }
    }

    /**
     * A cached response, without the headers that all responses have in common.
     *
     * @param links
     *            the link window; empty without signed links
     * @param etag
     *            the header {@code ETag}
     * @param link
     *            the header {@code Link}; null for none
     */
    public record Answer(long listing, String links, EntityTag tag, String etag, String link, String type, Buffer body,
            Compression.Cached compressed) {

        public Answer(long listing, String links, EntityTag tag, String link, String type, byte[] body) {
            this(listing, links, tag, tag.toString(), link, type, Buffer.buffer(body), new Compression.Cached());
        }
    }

    /** Answers a request for a page from the cache, or passes it on. */
    public void answer(RoutingContext context) {
        String path = context.normalizedPath();
        if (context.request().method() == HttpMethod.GET
                && (PATHS.contains(path) || isTile(context) || Endpoints.isAggregate(path)
                        || isPageOfStac(path, context))) {
            find(path, context);
        } else {
            context.next();
        }
    }

    private static boolean isTile(RoutingContext context) {
        return MediaTypes.VECTOR_TILE.equals(Representation.of(context).mediaType());
    }

    private static boolean isPageOfStac(String path, RoutingContext context) {
        return Endpoints.isStac(path) && MediaTypes.HTML.equals(Representation.of(context).mediaType());
    }

    private void find(String path, RoutingContext context) {
        HttpServerRequest request = context.request();
        String mediaType = Representation.of(context).mediaType();
        Caller caller = Caller.of(context);
        Key key = new Key(caller.accountId(), caller.right(), publicUrl.of(path, request), request.query(), mediaType,
                MediaTypes.hasLanguage(mediaType) ? Language.of(context) : null);
        if (key.isTooLong()) {
            context.next();
            return;
        }
        Answer answer = answers.getIfPresent(key);
        if (answer == null || !answer.links.isEmpty() && !answer.links.equals(thumbnails.id())) {
            context.put(KEY, key).next();
            return;
        }
        Long known = caller.isAnonymous() ? version.known() : null;
        if (known != null) {
            sendIf(known == answer.listing, key, answer, context);
            return;
        }
        // No part of a body may arrive before a handler for it is set.
        request.pause();
        version.current(caller).map(current -> current == answer.listing).onFailure().recoverWithItem(false)
                .subscribe().with(isCurrent -> {
                    if (context.response().headWritten() || RequestEnd.hasEnded(context)) {
                        // The database has answered after the time limit, or the client has gone.
                        RequestEnd.discardBody(request);
                    } else {
                        sendIf(isCurrent, key, answer, context);
                    }
                });
    }

    private void sendIf(boolean isCurrent, Key key, Answer answer, RoutingContext context) {
        if (isCurrent) {
            send(key, answer, context);
            RequestEnd.discardBody(context.request());
        } else {
            context.put(KEY, key).next();
        }
    }

    private void send(Key key, Answer answer, RoutingContext context) {
        HttpServerResponse response = context.response();
        if (answer.tag.isKnownTo(context)) {
            response.setStatusCode(304).putHeader(HttpHeaders.ETAG, answer.etag).end();
            return;
        }
        int compressed = answer.compressed.length();
        Buffer body = Compression.choose(context, answer.body, answer.compressed);
        if (answer.compressed.length() != compressed) {
            // The entry has grown. Replacing an entry with itself makes the cache weigh it again.
            answers.asMap().replace(key, answer, answer);
        }
        // The order in which the platform writes these headers.
        response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()))
                .putHeader("ETag", answer.etag);
        if (answer.link != null) {
            response.putHeader("Link", answer.link);
        }
        response.putHeader("Content-Type", answer.type).end(body);
    }

    /** Bytes of an entry, with the compressed body if there is one. */
    static int weight(Key key, Answer answer) {
        return OVERHEAD + HeapSize.of(key.url) + HeapSize.of(key.query) + HeapSize.of(key.mediaType)
                + HeapSize.of(answer.links) + HeapSize.of(answer.etag) + HeapSize.of(answer.link)
                + HeapSize.of(answer.type)
                + answer.body.length() + answer.compressed.length();
    }

    /** Bytes of all entries, as the cache counts them. */
    long weight() {
        return answers.policy().eviction().orElseThrow().weightedSize().orElse(0);
    }

    /** The current entries. */
    Map<Key, Answer> entries() {
        answers.cleanUp();
        return answers.asMap();
    }

    /**
     * The response with a body, whose tag is that of its content; 304 if the client has it. Cached as by {@link #put}.
     *
     * @param listing
     *            the listing version; null if the body does not depend on it alone, and is not cached
     */
    public Response respond(RoutingContext context, Long listing, byte[] body, String type) {
        EntityTag tag = EntityTag.ofContent(body);
        if (listing != null) {
            put(context, new Answer(listing, "", tag, null, type, body));
        }
        return tag.respond(context, body, type).build();
    }

    /** The response with a JSON document, as above. */
    public Response respond(RoutingContext context, Long listing, JsonNode document) {
        return respond(context, listing, document.toString().getBytes(StandardCharsets.UTF_8), MediaTypes.JSON);
    }

    /** Caches the response to this request, if {@link #answer} has found that it may be cached. */
    public void put(RoutingContext context, Answer answer) {
        Key key = context.get(KEY);
        if (key != null) {
            answers.put(key, answer);
        }
    }
}
