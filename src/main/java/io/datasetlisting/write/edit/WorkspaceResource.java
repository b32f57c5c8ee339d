package io.datasetlisting.write.edit;

import java.nio.charset.StandardCharsets;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.datasetlisting.access.account.Author;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.search.WorkspaceTextRepository;
import io.datasetlisting.catalogue.search.WorkspaceTextRepository.Text;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.rule.InputRule;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.PathId;
import io.datasetlisting.http.input.RequestBody;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Serves {@code /api/workspace/{id}/}: what a workspace is called. All callers read it; the account with the workspace and admins
 * write it.
 */
@Path(Endpoints.WORKSPACES + Endpoints.ID)
@Produces(MediaTypes.JSON)
public class WorkspaceResource {

    private static final String TYPE = "Workspace";
    private static final int MAX_DESCRIPTION = 1_000;
    private static final InputRule<String> NAME = InputRule.optionalText(InputRule.MAX_NAME);
    private static final InputRule<String> DESCRIPTION = InputRule.optionalText(MAX_DESCRIPTION);

    private final WorkspaceRepository workspaces;
    private final WorkspaceTextRepository texts;
    private final RequestBody body;

    public WorkspaceResource(WorkspaceRepository workspaces, WorkspaceTextRepository texts, RequestBody body) {
        this.workspaces = workspaces;
        this.texts = texts;
        this.body = body;
    }

    private static byte[] json(long number, Text text) {
        return JsonNodeFactory.instance.objectNode().put("workspace", number).put("name", text.name())
                .put("description", text.description()).put("license", text.license()).toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    @GET
    public Uni<Response> read(@PathParam("id") String id, @Context RoutingContext context) {
        long number = number(id);
        return texts.read(Caller.of(context)).map(all -> json(number, all.getOrDefault(number, Text.NONE)))
                .map(body -> EntityTag.ofContent(body).respond(context, body, MediaTypes.JSON).build());
    }

    /** As {@link #change}: a field that the request does not have stays. */
    @PUT
    public Uni<Response> replace(@PathParam("id") String id, @Context RoutingContext context) {
        return change(id, context);
    }

    @PATCH
    public Uni<Response> change(@PathParam("id") String id, @Context RoutingContext context) {
        long number = number(id);
        Caller caller = Caller.of(context);
        if (!caller.isAdmin() && caller.workspace() != number) {
            throw ApiException.forbidden();
        }
        caller.checkWorkspace(number);
        return body.fields(context).chain(fields -> {
            String name = NAME.read(fields, "name", null);
            String description = DESCRIPTION.read(fields, "description", null);
            String license = DatasetFields.LICENSE_RULE.read(fields, "license", null);
            fields.check();
            return workspaces.change(number, before -> {
                EntityTag.ofContent(json(number, before)).checkPrecondition(context);
                return new Text(changed(name, before.name()), changed(description, before.description()),
                        changed(license, before.license()));
            }, Author.of(context));
        }).map(text -> json(number, text))
                .map(body -> Response.ok(body).header(HttpHeaders.CONTENT_TYPE, MediaTypes.JSON)
                        .header(HttpHeaders.ETAG, EntityTag.ofContent(body)).build());
    }

    private static long number(String id) {
        long number = PathId.parse(id, TYPE);
        if (number > DrfFields.MAX_INTEGER) {
            throw ApiException.noSuch(TYPE);
        }
        return number;
    }

    /**
     * @param value
     *            null without the field; empty to clear it
     */
    private static String changed(String value, String before) {
        return value == null ? before : value.isEmpty() ? null : value;
    }
}
