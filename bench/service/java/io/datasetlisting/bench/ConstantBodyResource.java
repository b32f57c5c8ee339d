package io.datasetlisting.bench;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

import org.jboss.resteasy.reactive.RestQuery;

import io.datasetlisting.http.Endpoint;
import io.quarkus.arc.profile.IfBuildProfile;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;

/** The limit for comparisons in the benchmark: a constant response of a given size. */
@Path("/api/bench/constant/")
@IfBuildProfile("bench")
public class ConstantBodyResource {

    @jakarta.enterprise.inject.Produces
    @Singleton
    static Endpoint endpoint() {
        return new Endpoint("/api/bench/constant/", "GET", Endpoint.Access.OPEN);
    }

    private final Map<Integer, Buffer> bodies = new ConcurrentHashMap<>();

    /**
     * A constant JSON text.
     *
     * @param size
     *            size of the body in bytes
     */
    @GET
    @Produces("application/json")
    public Uni<Buffer> constant(@RestQuery int size) {
        return Uni.createFrom()
                .item(bodies.computeIfAbsent(size, n -> Buffer.buffer("\"" + "x".repeat(Math.max(0, n - 2)) + "\"")));
    }
}
