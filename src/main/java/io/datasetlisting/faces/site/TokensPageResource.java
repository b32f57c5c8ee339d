package io.datasetlisting.faces.site;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.access.account.AccountRepository;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.PathId;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers the page on which a caller sees, makes and revokes tokens. */
@Path(Endpoints.PAGES + Endpoints.TOKENS_PAGE)
@Produces(MediaTypes.HTML)
public class TokensPageResource {

    private static final String TYPE = "Account";

    private final AccessPages pages;
    private final AccountRepository accounts;

    TokensPageResource(AccessPages pages, AccountRepository accounts) {
        this.pages = pages;
        this.accounts = accounts;
    }

    /** The parameter {@code user} is the id of the account for which an admin makes a token. It has no effect for others. */
    @GET
    public Uni<Response> page(@Context RoutingContext context) {
        String user = QueryString.parse(context.request().query()).withoutBlank().get("user");
        if (user == null || !Caller.of(context).isAdmin()) {
            return Uni.createFrom().item(() -> pages.answerTokens(context, null));
        }
        return accounts.find(PathId.parse(user, TYPE)).map(account -> {
            if (account == null) {
                throw ApiException.noSuch(TYPE);
            }
            return pages.answerTokens(context, account);
        });
    }
}
