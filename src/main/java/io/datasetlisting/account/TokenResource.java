package io.datasetlisting.account;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;

import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
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
import io.datasetlisting.input.ApiDescription;
import io.datasetlisting.input.DrfFields;
import io.datasetlisting.input.PathId;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.input.RequestBody;
import io.datasetlisting.paging.ListRequest;
import io.datasetlisting.paging.PageEnvelope;
import io.datasetlisting.paging.PagingConfig;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Serves {@code /api/token/}, where admins list, create and revoke tokens. */
@Path(Endpoints.TOKENS)
@Produces(MediaTypes.JSON)
public class TokenResource {

    private static final int MAX_NAME = 255;
    private static final int KEY_BYTES = 20;

    private final TokenRepository tokens;
    private final AccountRepository accounts;
    private final RequestBody body;
    private final PagingConfig config;
    private final PublicUrl publicUrl;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    public TokenResource(TokenRepository tokens, AccountRepository accounts, RequestBody body, PagingConfig config,
            PublicUrl publicUrl, Clock clock) {
        this.tokens = tokens;
        this.accounts = accounts;
        this.body = body;
        this.config = config;
        this.publicUrl = publicUrl;
        this.clock = clock;
    }

    /**
     * A token as JSON, without its key.
     *
     * @param user
     *            id of the account that the token acts for
     * @param expires
     *            null for a token that does not expire
     * @param lastUsed
     *            accurate to a minute; null before the first use
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record View(long id, long user, String name, Right right, Instant expires, Instant lastUsed,
            boolean revoked) {

        static View of(ApiToken token) {
            return new View(token.id, token.account.id, token.name, token.right, token.expires, token.lastUsed,
                    token.revoked);
        }
    }

    /** A new token as JSON. No later response contains its key. The platform registers only the types that methods return. */
    @RegisterForReflection
    public record Created(long id, long user, String name, Right right, Instant expires, String key) {
    }

    @GET
    public Uni<PageEnvelope<View>> list(@Context HttpServerRequest http) {
        ListRequest request = ListRequest.parse(QueryString.parse(http.query()), config);
        String url = publicUrl.of(Endpoints.TOKENS, http);
        return tokens.count().chain(count -> tokens.list(request.pageIndex(count), request.pageSize())
                .map(page -> PageEnvelope.of(request, url, count, page.stream().map(View::of).toList())));
    }

    @POST
    public Uni<Response> create(@Context RoutingContext context) {
        return body.fields(context).chain(this::readToken).chain(token -> {
            String key = newKey();
            token.keyHash = Sha256.of(key);
            return tokens.create(token).map(created -> Response.status(201)
                    .entity(new Created(created.id, created.account.id, created.name, created.right, created.expires,
                            key))
                    .build());
        });
    }

    private Uni<ApiToken> readToken(DrfFields fields) {
        ApiToken token = new ApiToken();
        token.name = fields.hasText("name") ? fields.text("name", MAX_NAME) : "";
        String right = fields.has("right") ? fields.choice("right", Right.NAMES) : fields.missing("right");
        if (fields.has("expires") && !fields.isNull("expires")) {
            token.expires = fields.instant("expires");
            if (token.expires != null && !token.expires.isAfter(clock.instant())) {
                fields.refuse("expires", "This moment has passed.");
            }
        }
        Long user = fields.has("user") ? fields.integer("user", 0) : fields.missing("user");
        return (user == null ? Uni.createFrom().<Account>nullItem() : accounts.find(user)).map(account -> {
            if (user != null && account == null) {
                fields.refuse("user", "Invalid pk \"" + user + "\" - object does not exist.");
            }
            fields.check();
            token.account = account;
            token.right = Right.of(right);
            return token;
        });
    }

    private String newKey() {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return HexFormat.of().formatHex(key);
    }

    @DELETE
    @Path(Endpoints.ID)
    public Uni<Void> revoke(@PathParam("id") String id) {
        return tokens.revoke(PathId.parse(id, "Token")).map(token -> {
            if (token == null) {
                throw ApiException.noSuch("Token");
            }
            return null;
        });
    }

    @OPTIONS
    @NonBlocking
    public ApiDescription describe() {
        return ApiDescription.of("Token List", RequestBody.MEDIA_TYPES);
    }

    @OPTIONS
    @Path(Endpoints.ID)
    @NonBlocking
    public ApiDescription describeOne() {
        return ApiDescription.of("Token Instance", RequestBody.MEDIA_TYPES);
    }
}
