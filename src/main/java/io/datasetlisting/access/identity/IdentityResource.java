package io.datasetlisting.access.identity;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.access.account.Account;
import io.datasetlisting.access.account.AccountRepository;
import io.datasetlisting.access.account.Author;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.PathId;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.input.RequestBody;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.PageEnvelope;
import io.datasetlisting.http.paging.PagingConfig;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Serves {@code /api/identity/}, where admins list the subjects of the provider, link them to accounts, and block them. */
@Path(Endpoints.IDENTITIES)
@Produces(MediaTypes.JSON)
public class IdentityResource {

    private static final int MAX_ISSUER = 1000;
    private static final int MAX_SUBJECT = 255;

    private final IdentityRepository identities;
    private final AccountRepository accounts;
    private final OidcConfig oidc;
    private final RequestBody body;
    private final PagingConfig config;
    private final PublicUrl publicUrl;

    public IdentityResource(IdentityRepository identities, AccountRepository accounts, OidcConfig oidc,
            RequestBody body,
            PagingConfig config, PublicUrl publicUrl) {
        this.identities = identities;
        this.accounts = accounts;
        this.oidc = oidc;
        this.body = body;
        this.config = config;
        this.publicUrl = publicUrl;
    }

    /**
     * A subject as JSON.
     *
     * @param user
     *            id of the account for which the subject acts
     * @param right
     *            takes the place of the right that the claims of a token give; null if the claims decide
     */
    public record View(long id, String issuer, String subject, long user, Right right, boolean blocked,
            Instant created) {

        static View of(IdentityRepository.Identity identity) {
            return new View(identity.id(), identity.issuer(), identity.subject(), identity.accountId(),
                    identity.right(),
                    identity.blocked(), identity.created().truncatedTo(ChronoUnit.SECONDS));
        }
    }

    /** A subject with the account for which it is to act. */
    private record Link(String issuer, String subject, Account account, Right right) {
    }

    @GET
    public Uni<PageEnvelope<View>> list(@Context HttpServerRequest http) {
        ListRequest request = ListRequest.parse(QueryString.parse(http.query()), config);
        String url = publicUrl.of(Endpoints.IDENTITIES, http);
        return identities.count().chain(count -> identities.list(request.pageIndex(count), request.pageSize())
                .map(page -> PageEnvelope.of(request, url, count, page.stream().map(View::of).toList())));
    }

    @POST
    public Uni<Response> link(@Context RoutingContext context) {
        // A subject is not limited to the workspaces of a token.
        Caller.of(context).checkAllWorkspaces();
        return body.fields(context).chain(this::read)
                .chain(link -> identities.link(link.issuer, link.subject, link.account.id, link.right,
                        Author.of(context)))
                .map(identity -> Response.status(201).entity(View.of(identity)).build());
    }

    private Uni<Link> read(DrfFields fields) {
        String issuer = fields.hasText("issuer")
                ? filled(fields, "issuer", MAX_ISSUER)
                : oidc.issuer().map(Object::toString).orElseGet(() -> fields.missing("issuer"));
        String subject = fields.hasText("subject") ? filled(fields, "subject", MAX_SUBJECT) : fields.missing("subject");
        String right = fields.has("right") && !fields.isNull("right") ? fields.choice("right", Right.NAMES) : null;
        Long user = fields.has("user") ? fields.integer("user", 0) : fields.missing("user");
        return accounts.named(fields, "user", user).map(account -> {
            String configured = oidc.issuer().map(Object::toString).orElse(null);
            if (issuer != null && configured != null && !issuer.equals(configured)) {
                fields.refuse("issuer", "The provider of this service is " + configured + ".");
            }
            fields.check();
            return new Link(issuer, subject, account, right == null ? null : Right.of(right));
        });
    }

    private static String filled(DrfFields fields, String name, int maxLength) {
        String text = fields.verbatim(name, maxLength);
        return text != null && text.isEmpty() ? fields.refuse(name, "This field may not be blank.") : text;
    }

    @DELETE
    @Path(Endpoints.ID)
    public Uni<Void> block(@PathParam("id") String id, @Context RoutingContext context) {
        Caller.of(context).checkAllWorkspaces();
        return identities.block(PathId.parse(id, "Identity"), Author.of(context)).map(found -> {
            if (!found) {
                throw ApiException.noSuch("Identity");
            }
            return null;
        });
    }
}
