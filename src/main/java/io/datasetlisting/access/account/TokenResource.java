package io.datasetlisting.access.account;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.Sha256;
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
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Serves {@code /api/token/}, where each caller lists, makes and revokes the tokens of its own account, and admins those of all
 * accounts. No token can make a token that may do more than itself.
 */
@Path(Endpoints.TOKENS)
@Produces(MediaTypes.JSON)
public class TokenResource {

    private static final int MAX_NAME = 255;
    private static final int KEY_BYTES = 20;
    private static final int MAX_WORKSPACES = 100;
    private static final String TYPE = "Token";

    private final TokenRepository tokens;
    private final AccountRepository accounts;
    private final RequestBody body;
    private final PagingConfig config;
    private final PublicUrl publicUrl;
    private final Clock clock;
    private final Duration maxLifetime;
    private final SecureRandom random = new SecureRandom();

    public TokenResource(TokenRepository tokens, AccountRepository accounts, RequestBody body, PagingConfig config,
            TokenConfig tokenConfig, PublicUrl publicUrl, Clock clock) {
        this.tokens = tokens;
        this.accounts = accounts;
        this.body = body;
        this.config = config;
        this.publicUrl = publicUrl;
        this.clock = clock;
        maxLifetime = tokenConfig.tokens().maxLifetime();
    }

    /**
     * A token as JSON, without its key.
     *
     * @param user
     *            id of the account that the token acts for
     * @param username
     *            name of this account
     * @param workspaces
     *            numbers of the workspaces in which the token may write; null for all
     * @param expires
     *            null for a token that does not expire
     * @param lastUsed
     *            the minute; null before the first use
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record View(long id, long user, String username, String name, Right right, List<Long> workspaces,
            Instant expires,
            Instant lastUsed, boolean revoked) {

        static View of(ApiToken token) {
            return new View(token.id, token.account.id, token.account.username, token.name, token.right,
                    token.workspaceList(), token.expires,
                    token.lastUsed == null ? null : token.lastUsed.truncatedTo(ChronoUnit.MINUTES), token.revoked);
        }
    }

    /** A new token as JSON. No later response contains its key. The platform registers only the types that methods return. */
    @RegisterForReflection
    public record Created(long id, long user, String name, Right right, List<Long> workspaces, Instant expires,
            String key) {

        static Created of(ApiToken token, String key) {
            return new Created(token.id, token.account.id, token.name, token.right, token.workspaceList(),
                    token.expires, key);
        }
    }

    @GET
    public Uni<PageEnvelope<View>> list(@Context RoutingContext context) {
        HttpServerRequest http = context.request();
        ListRequest request = ListRequest.parse(QueryString.parse(http.query()), config);
        String url = publicUrl.of(Endpoints.TOKENS, http);
        Caller caller = Caller.of(context);
        Long account = caller.isAdmin() ? null : caller.accountId();
        return tokens.count(account).chain(count -> tokens.list(account, request.pageIndex(count), request.pageSize())
                .map(page -> PageEnvelope.of(request, url, count, page.stream().map(View::of).toList())));
    }

    @POST
    public Uni<Response> create(@Context RoutingContext context) {
        Caller caller = Caller.of(context);
        return body.fields(context).chain(fields -> readToken(fields, caller)).chain(token -> {
            String key = newKey();
            token.keyHash = Sha256.of(key);
            return tokens.create(token, Author.of(context), clock.instant())
                    .map(created -> Response.status(201).entity(Created.of(created, key)).build());
        });
    }

    private Uni<ApiToken> readToken(DrfFields fields, Caller caller) {
        ApiToken token = new ApiToken();
        token.name = fields.hasText("name") ? fields.text("name", MAX_NAME) : "";
        token.right = readRight(fields, caller);
        token.workspaces = readWorkspaces(fields, caller);
        token.expires = readExpires(fields, caller);
        Long user = fields.hasText("user") ? fields.integer("user", 0) : caller.accountId();
        if (user != null && !caller.isAdmin() && !caller.is(user)) {
            throw ApiException.forbidden();
        }
        return accounts.named(fields, "user", user).map(account -> {
            fields.check();
            token.account = account;
            token.identityId = caller.is(account.id) ? caller.identityId() : null;
            return token;
        });
    }

    private static Right readRight(DrfFields fields, Caller caller) {
        String name = fields.has("right") ? fields.choice("right", Right.NAMES) : fields.missing("right");
        Right right = name == null ? null : Right.of(name);
        return right == null || right.compareTo(caller.right()) <= 0
                ? right
                : fields.refuse("right", "Your own right is " + caller.right() + ".");
    }

    /** Without the field, the limits of the caller. */
    private static Long[] readWorkspaces(DrfFields fields, Caller caller) {
        List<Long> own = caller.workspaces();
        if (!fields.has("workspaces")) {
            return own == null ? null : own.toArray(Long[]::new);
        }
        boolean isUnlimited = fields.isNull("workspaces");
        Long[] workspaces = isUnlimited ? null : fields.integers("workspaces", MAX_WORKSPACES);
        if (own != null && (isUnlimited || workspaces != null && !own.containsAll(List.of(workspaces)))) {
            return fields.refuse("workspaces", caller.limit());
        }
        return workspaces;
    }

    /**
     * Without the field, the end of the caller's token. Only an admin makes tokens that end later: it could make another admin,
     * too. A subject of the provider may leave: its token makes no token that outlives it, and a token that it makes otherwise
     * has a longest time.
     */
    private Instant readExpires(DrfFields fields, Caller caller) {
        Instant now = clock.instant();
        boolean isOfSubject = caller.identityId() != null && caller.tokenId() == null;
        Instant last = isOfSubject
                ? now.plus(maxLifetime).truncatedTo(ChronoUnit.SECONDS)
                : caller.isAdmin() && caller.identityId() == null ? null : caller.expires();
        boolean isEndless = fields.isNull("expires");
        if (!fields.has("expires") || isOfSubject && isEndless) {
            return last;
        }
        Instant expires = isEndless ? null : fields.instant("expires");
        if (expires != null && !expires.isAfter(now)) {
            fields.refuse("expires", "This moment has passed.");
        } else if (last != null && (isEndless || expires != null && expires.isAfter(last))) {
            fields.refuse("expires", isOfSubject
                    ? "A token that is made with a Bearer token expires at " + last + " at the latest."
                    : "Your own token expires at " + last + ".");
        }
        return expires;
    }

    private String newKey() {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return HexFormat.of().formatHex(key);
    }

    @GET
    @Path(Endpoints.ID)
    public Uni<View> read(@PathParam("id") String id, @Context RoutingContext context) {
        Caller caller = Caller.of(context);
        return tokens.find(PathId.parse(id, TYPE)).invoke(token -> checkVisible(token, caller)).map(View::of);
    }

    /** A caller revokes no token that may do more than its own: a lost key that only reads cannot lock its owner out. */
    @DELETE
    @Path(Endpoints.ID)
    public Uni<Void> revoke(@PathParam("id") String id, @Context RoutingContext context) {
        Caller caller = Caller.of(context);
        return tokens.revoke(PathId.parse(id, TYPE), Author.of(context), token -> {
            checkVisible(token, caller);
            if (!caller.covers(token.right, token.workspaceList())) {
                throw ApiException.forbidden();
            }
        });
    }

    private static void checkVisible(ApiToken token, Caller caller) {
        if (token == null || !caller.isAdmin() && !caller.is(token.account.id)) {
            throw ApiException.noSuch(TYPE);
        }
    }
}
