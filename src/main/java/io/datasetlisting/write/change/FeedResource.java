package io.datasetlisting.write.change;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.RestMulti;

import io.datasetlisting.http.MediaTypes;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * The methods that each address of the feed has: what has changed since a position, as pages and as streams. The platform looks
 * for the method of a stream by its name, and itself registers only those that a subclass declares.
 */
@RegisterForReflection(fields = false)
public abstract class FeedResource {

    private final ChangeResponses responses;
    private final EntryWriter entries;

    protected FeedResource(ChangeResponses responses, EntryWriter entries) {
        this.responses = responses;
        this.entries = entries;
    }

    /** What a request asks for. */
    protected abstract Uni<ChangeQuery> parse(RoutingContext context);

    @GET
    @Produces(MediaTypes.JSON)
    public Uni<Response> read(@Context RoutingContext context) {
        return responses.page(parse(context), entries, context);
    }

    /** The lines, and the events: for a stream of events the platform would write its own format. */
    @GET
    @Produces(MediaTypes.NDJSON)
    public RestMulti<byte[]> stream(@Context RoutingContext context) {
        return responses.stream(parse(context), entries, context);
    }

    /** A method of its own, because streams have one at the same path. */
    @HEAD
    @Produces(MediaTypes.JSON)
    public Uni<Response> head(@Context RoutingContext context) {
        return read(context);
    }

    @HEAD
    @Produces(MediaTypes.NDJSON)
    public Uni<Response> headOfStream(@Context RoutingContext context) {
        return responses.head(parse(context), context);
    }
}
