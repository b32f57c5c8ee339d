package io.datasetlisting.access.account;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.PageEnvelope;
import io.datasetlisting.http.paging.PagingConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/** Serves {@code /api/audit/} in pages, where admins read who has written what. */
@Path(Endpoints.AUDIT)
@Produces(MediaTypes.JSON)
public class AuditResource {

    private final AuditRepository audit;
    private final PagingConfig config;
    private final PublicUrl publicUrl;

    public AuditResource(AuditRepository audit, PagingConfig config, PublicUrl publicUrl) {
        this.audit = audit;
        this.config = config;
        this.publicUrl = publicUrl;
    }

    /** The newest entries first. */
    @GET
    public Uni<PageEnvelope<AuditEntry>> list(@Context HttpServerRequest http) {
        QueryString query = QueryString.parse(http.query());
        AuditFilter filter = AuditFilter.of(query);
        ListRequest request = ListRequest.parse(query, config);
        String url = publicUrl.of(Endpoints.AUDIT, http);
        return audit.count(filter).chain(count -> audit.list(filter, request.pageIndex(count), request.pageSize())
                .map(page -> PageEnvelope.of(request, url, count, page)));
    }

    /** A method of its own, because the export has one at the same path. */
    @HEAD
    public Uni<PageEnvelope<AuditEntry>> head(@Context HttpServerRequest http) {
        return list(http);
    }
}
