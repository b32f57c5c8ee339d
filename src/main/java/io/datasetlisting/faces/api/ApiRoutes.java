package io.datasetlisting.faces.api;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.RateLimit;
import io.datasetlisting.access.account.TokenAuthentication;
import io.datasetlisting.access.identity.BearerAuthentication;
import io.datasetlisting.catalogue.cache.ListingVersion;
import io.datasetlisting.catalogue.cache.PageCache;
import io.datasetlisting.faces.site.OpenApiDocument;
import io.datasetlisting.http.Compression;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Errors;
import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.http.RequestLimits;
import io.datasetlisting.http.input.BodyReceiver;
import io.datasetlisting.http.netty.ClientConnections;
import io.datasetlisting.http.netty.MalformedBody;
import io.datasetlisting.http.proxy.ForwardedHeaders;
import io.datasetlisting.http.proxy.RequestId;
import io.quarkus.vertx.http.runtime.RouteConstants;
import io.vertx.ext.web.AllowForwardHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * The pipeline: every handler of every request, in the order in which the handlers run. A handler passes the request on, answers
 * it, or fails with an {@link io.datasetlisting.base.ApiException}.
 */
@Singleton
class ApiRoutes {

    /** Before all handlers of the platform that could answer a request. */
    private static final int FIRST = -1000;
    /** All paths but {@code /q} and those below it. In a path may be any character, a line feed as well. */
    private static final String OF_THE_SERVICE = "(?s)(?!/q(?:/|\\z)).*";
    private static final String OF_THE_PLATFORM = "/q/(openapi(\\.json|\\.ya?ml)?|metrics(/.*)?"
            + "|health(/(live|ready|started|group/.+))?)";
    private static final int BEFORE_THE_RESOURCES = RouteConstants.ROUTE_ORDER_DEFAULT - 1;

    private final ForwardedHeaders forwarded;
    private final ClientConnections connections;
    private final RequestMetrics metrics;
    private final ResponseHeaders headers;
    private final RequestTarget target;
    private final CrossOrigin crossOrigin;
    private final RequestLimits limits;
    private final TokenAuthentication authentication;
    private final BearerAuthentication bearers;
    private final RateLimit rateLimit;
    private final ListingVersion listingVersion;
    private final PageCache pages;
    private final BodyReceiver bodies;
    private final OpenApiDocument document;
    private final AccessControl access;

    ApiRoutes(ForwardedHeaders forwarded, ClientConnections connections, RequestMetrics metrics,
            ResponseHeaders headers, RequestTarget target,
            CrossOrigin crossOrigin,
            RequestLimits limits, TokenAuthentication authentication, BearerAuthentication bearers, RateLimit rateLimit,
            ListingVersion listingVersion,
            PageCache pages, BodyReceiver bodies, OpenApiDocument document, AccessControl access) {
        this.forwarded = forwarded;
        this.connections = connections;
        this.metrics = metrics;
        this.headers = headers;
        this.target = target;
        this.crossOrigin = crossOrigin;
        this.limits = limits;
        this.authentication = authentication;
        this.bearers = bearers;
        this.rateLimit = rateLimit;
        this.listingVersion = listingVersion;
        this.pages = pages;
        this.bodies = bodies;
        this.document = document;
        this.access = access;
    }

    void register(@Observes Router router) {
        // Of the platform: the access log, and the time at which the request began.

        if (forwarded.areEnabled()) {
            // Requests have the values that ForwardedHeaders writes.
            router.allowForward(AllowForwardHeaders.X_FORWARD);
        }
        router.route().order(FIRST)
                .handler(RequestEnd::watch) // detects the end of the request, and then releases what the request holds
                .handler(connections::await) // counts what the client does not take, and waits until it takes it
                .handler(ResponseHeaders::addDate) // Date
                .handler(RequestId::assign) // names the request in the log and in the response
                .handler(forwarded::read) // address, scheme and host as trusted proxies name them; 400 for a malformed host
                .handler(this::refuseAmbiguousPath) // 400, also under /q
                .handler(Compression::watch); // compresses the response where the client accepts it

        router.routeWithRegex(OF_THE_SERVICE).order(FIRST)
                .handler(metrics::measure) // measures until the end of the response
                .handler(headers::add) // Vary, Cache-Control, Content-Security-Policy
                .handler(MalformedBody::watch) // 400 for a malformed chunk, also while the request runs
                .handler(target::checkHost) // 400
                .handler(crossOrigin::handle) // 403 for a page of an origin that is not allowed; answers preflights
                .handler(target::checkLength) // 414
                .handler(target::checkHeaders) // 431
                .handler(target::findEndpoint) // 301 to the path with a slash at its end; sets Allow
                .handler(Negotiation::choose) // chooses the representation; 404 for an unknown format, 406
                .handler(limits::startTimer) // 503 for a response that does not begin in time
                .handler(authentication::identify) // 401 for an invalid token, 429 for too many invalid tokens
                .handler(bearers::identify) // the same for a token of the provider of identities; 503 without its keys
                .handler(rateLimit::count) // 429
                .handler(access::admit) // 404 for an unknown path, 401, 403, 405; 403 for a write of a mirror
                .handler(Negotiation::checkContentType) // 415
                .handler(target::answerOptions) // answers OPTIONS, unless the resource describes fields
                .handler(listingVersion::trackWrite) // no cached page is sent unchecked during or after a write
                .handler(pages::answer) // answers with a cached page if the listing has not changed since
                .handler(this::admit) // 503 while too many requests run; a request with a body runs when its body is complete
                .failureHandler(headers::complete) // for a host that the platform refuses before the first handler
                .failureHandler(Errors::handle); // turns failures of the handlers above into errors of the contract

        router.route("/q/*").order(FIRST)
                .handler(crossOrigin::handle)
                .handler(target::checkLength)
                .handler(target::checkHeaders)
                .failureHandler(Errors::handle);

        router.optionsWithRegex(OF_THE_PLATFORM).order(FIRST) // the platform would answer as to GET
                .handler(context -> context.response().putHeader("Allow", Endpoints.READ).end());

        // Of the platform: the limit of a body's size, the mark of responses to compress, and the resources under /q/.

        OpenApiDocument.PATHS.forEach(path -> router.route(path).order(RouteConstants.ROUTE_ORDER_BEFORE_DEFAULT)
                .handler(headers::addCacheControl) // without the other headers, which /q/ does not have
                .blockingHandler(document::answer)); // answers the OpenAPI document

        router.route().order(BEFORE_THE_RESOURCES)
                .handler(AccessControl::requireAdmission) // 404 for a request that has not passed AccessControl::admit
                .handler(Negotiation::handOver); // tells the platform which representation is chosen

        // Of the platform: finds the resource, and maps exceptions of a resource (Errors).

        // A path that cannot be decoded reaches no route.
        router.errorHandler(400, context -> {
            Compression.prepare(context);
            headers.setAllAtOnce(context);
            target.refuseUndecodable(context);
            connections.discardBody(context);
        });
    }

    private void refuseAmbiguousPath(RoutingContext context) {
        if (RequestTarget.isAmbiguous(context)) {
            headers.setAllAtOnce(context);
            Errors.send(context, 400);
        } else {
            context.next();
        }
    }

    private void admit(RoutingContext context) {
        bodies.admit(context, Caller.of(context).isAnonymous());
    }
}
