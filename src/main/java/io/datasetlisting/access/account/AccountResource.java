package io.datasetlisting.access.account;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.input.RequestBody;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.PageEnvelope;
import io.datasetlisting.http.paging.PagingConfig;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Serves {@code /api/account/}, where admins list and create accounts, and {@code /api/account/me/}, the account of the caller.
 */
@Path(Endpoints.ACCOUNTS)
@Produces(MediaTypes.JSON)
public class AccountResource {

    private final AccountRepository accounts;
    private final RequestBody body;
    private final PagingConfig config;
    private final PublicUrl publicUrl;

    public AccountResource(AccountRepository accounts, RequestBody body, PagingConfig config, PublicUrl publicUrl) {
        this.accounts = accounts;
        this.body = body;
        this.config = config;
        this.publicUrl = publicUrl;
    }

    /**
     * An account as JSON.
     *
     * @param workspace
     *            number of the account's own workspace
     */
    public record View(long id, String username, long workspace) {

        static View of(Account account) {
            return new View(account.id, account.username, account.workspace);
        }
    }

    @GET
    public Uni<PageEnvelope<View>> list(@Context HttpServerRequest http) {
        ListRequest request = ListRequest.parse(QueryString.parse(http.query()), config);
        String url = publicUrl.of(Endpoints.ACCOUNTS, http);
        return accounts.count().chain(count -> accounts.list(request.pageIndex(count), request.pageSize())
                .map(page -> PageEnvelope.of(request, url, count, page.stream().map(View::of).toList())));
    }

    @POST
    public Uni<Response> create(@Context RoutingContext context) {
        // A new account has a new workspace.
        Caller.of(context).checkAllWorkspaces();
        return body.fields(context)
                .map(AccountResource::readUsername)
                .chain(username -> accounts.isTaken(username).chain(taken -> taken
                        ? Uni.createFrom().failure(usernameTaken())
                        : accounts.create(username, Author.of(context))))
                // Another request has created the account in the meantime.
                .onFailure(AccountRepository::isDuplicate).transform(e -> usernameTaken())
                .map(account -> Response.status(201).entity(View.of(account)).build());
    }

    /**
     * The username of a request in its normal form.
     *
     * @throws ApiException
     *             400 if it is missing or refused
     */
    public static String readUsername(DrfFields fields) {
        String username = fields.hasText("username")
                ? fields.text("username", Username.MAX_LENGTH)
                : fields.missing("username");
        fields.check();
        String normalized = Username.normalize(username);
        String refusal = Username.refusal(normalized);
        if (refusal != null) {
            throw DrfFields.invalid("username", refusal);
        }
        return normalized;
    }

    /** 400 for the username of another account. */
    public static RuntimeException usernameTaken() {
        return DrfFields.invalid("username", "A user with that username already exists.");
    }

    @GET
    @Path(Endpoints.ME)
    @NonBlocking
    public View me(@Context RoutingContext context) {
        Caller caller = Caller.of(context);
        return new View(caller.accountId(), caller.username(), caller.workspace());
    }
}
