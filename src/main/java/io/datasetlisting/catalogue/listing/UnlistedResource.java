package io.datasetlisting.catalogue.listing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

import io.datasetlisting.access.account.AccountRepository.Owner;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.DeletedConfig;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.PageEnvelope;
import io.datasetlisting.http.paging.PagingConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Lists the drafts and the deleted datasets of the caller's account, and for admins those of any account. */
@Path(Endpoints.DATASETS)
@Produces(MediaTypes.JSON)
public class UnlistedResource {

    private static final String USER = "user";
    private static final int MAX_USER = 255;

    private final UnlistedRepository repository;
    private final PagingConfig config;
    private final PublicUrl publicUrl;
    private final Duration keep;

    UnlistedResource(UnlistedRepository repository, PagingConfig config, PublicUrl publicUrl, DeletedConfig deleted) {
        this.repository = repository;
        this.config = config;
        this.publicUrl = publicUrl;
        keep = deleted.keep();
    }

    /**
     * A deleted dataset as JSON.
     *
     * @param restorableUntil
     *            when it can no longer be restored
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Deleted(Instant deletedAt, Instant restorableUntil, DatasetView dataset) {
    }

    /** The last deletion first; a later change of its account counts as one. */
    @GET
    @Path(Endpoints.DELETED)
    public Uni<PageEnvelope<Deleted>> listDeleted(@Context RoutingContext context) {
        ListRequest request = parse(context);
        return list(Visibility.DELETED, request, context)
                .map(page -> envelope(Endpoints.DELETED, request, context, page.count(), page.datasets().stream()
                        .map(found -> new Deleted(found.changed(), found.changed().plus(keep), found.dataset()))
                        .toList()));
    }

    /** The last change first. */
    @GET
    @Path(Endpoints.DRAFTS)
    public Uni<PageEnvelope<DatasetView>> listDrafts(@Context RoutingContext context) {
        ListRequest request = parse(context);
        return list(Visibility.DRAFTS, request, context)
                .map(page -> envelope(Endpoints.DRAFTS, request, context, page.count(),
                        page.datasets().stream().map(UnlistedRepository.Found::dataset).toList()));
    }

    private ListRequest parse(RoutingContext context) {
        return ListRequest.parse(QueryString.parse(context.request().query()), config);
    }

    private Uni<UnlistedRepository.Page> list(Visibility kind, ListRequest request, RoutingContext context) {
        Caller caller = Caller.of(context);
        DrfFields parameters = DrfFields.of(request.query());
        String user = parameters.has(USER) ? parameters.text(USER, MAX_USER) : null;
        parameters.check();
        if (user != null && !caller.isAdmin() && !user.equals(caller.username())
                && !user.equals(caller.accountId().toString())) {
            throw ApiException.forbidden();
        }
        return repository.list(kind, caller.isAdmin() && user != null ? owner(user) : null, request, caller)
                // Fails with 404 for a page that does not exist.
                .invoke(page -> request.pageIndex(page.count()));
    }

    /** A username may consist of digits, as in the filter of the listing. */
    private static Owner owner(String user) {
        return new Owner(user.matches("\\d{1,18}") ? Long.parseLong(user) : -1, user);
    }

    private <T> PageEnvelope<T> envelope(String path, ListRequest request, RoutingContext context, long count,
            List<T> results) {
        return PageEnvelope.of(request, publicUrl.of(Endpoints.DATASETS + path, context.request()), count, results);
    }
}
