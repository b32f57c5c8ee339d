package io.datasetlisting.write.departure;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;

import io.datasetlisting.access.account.AccountResource;
import io.datasetlisting.access.account.Author;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.RequestLimits;
import io.datasetlisting.http.input.PathId;
import io.datasetlisting.http.input.RequestBody;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Serves the addresses below {@code /api/account/{id}/}, where admins rename, disable, hand over and erase. */
@Path(Endpoints.ACCOUNTS)
@Produces(MediaTypes.JSON)
public class AccountDepartureResource {

    private static final String TYPE = "Account";
    /** Of the configured admin token. */
    private static final long CONFIGURED = 0;

    private final DepartureRepository departures;
    private final RequestBody body;

    public AccountDepartureResource(DepartureRepository departures, RequestBody body) {
        this.departures = departures;
        this.body = body;
    }

    /**
     * A handover as JSON.
     *
     * @param from
     *            id of the account that had the datasets
     * @param to
     *            id of the account that has them
     * @param datasets
     *            their number
     */
    public record Handover(long from, long to, int datasets) {
    }

    @GET
    @Path(Endpoints.ID)
    public Uni<DepartureRepository.Details> read(@PathParam("id") String id) {
        return departures.find(PathId.parse(id, TYPE));
    }

    /** Changes the fields that the request has. Nobody locks itself out. */
    @PATCH
    @Path(Endpoints.ID)
    public Uni<DepartureRepository.Details> change(@PathParam("id") String id, @Context RoutingContext context) {
        long account = begin(id, context);
        return body.fields(context).chain(fields -> departures.find(account).chain(found -> {
            Boolean disabled = fields.has("disabled") ? fields.bool("disabled") : null;
            if (Boolean.TRUE.equals(disabled) && (account == CONFIGURED || Caller.of(context).is(account))) {
                fields.refuse("disabled", account == CONFIGURED
                        ? "The account of the configured admin token cannot be disabled."
                        : "You cannot disable your own account.");
            }
            if (fields.hasText("username") && account == CONFIGURED) {
                fields.refuse("username", "The configuration names this account: dataset.admin-username.");
            }
            fields.check();
            return departures.change(account, fields.hasText("username") ? AccountResource.readUsername(fields) : null,
                    disabled, Author.of(context));
        }));
    }

    /** Gives all datasets of the account to another one. */
    @POST
    @Path(Endpoints.HANDOVER)
    public Uni<Handover> handOver(@PathParam("id") String id, @Context RoutingContext context) {
        long from = begin(id, context);
        return body.fields(context).chain(fields -> departures.find(from).chain(found -> {
            Long to = fields.has("to") ? fields.integer("to", 0) : fields.missing("to");
            Long workspace = fields.has("workspace") ? fields.integer("workspace", 0) : null;
            if (to != null && to == from) {
                fields.refuse("to", "The datasets belong to this account already.");
            }
            fields.check();
            return departures.handOver(from, to, workspace, Author.of(context))
                    .map(datasets -> new Handover(from, to, datasets));
        }));
    }

    /** Erases the personal data of a disabled account. */
    @POST
    @Path(Endpoints.ERASE)
    public Uni<DepartureRepository.Details> erase(@PathParam("id") String id, @Context RoutingContext context) {
        return departures.eraseAccount(begin(id, context), Author.of(context));
    }

    /** The datasets of an account may be in all workspaces, and may be many. */
    private static long begin(String id, RoutingContext context) {
        Caller.of(context).checkAllWorkspaces();
        RequestLimits.lift(context);
        return PathId.parse(id, TYPE);
    }
}
