package io.datasetlisting.write.edit;

import java.util.List;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;

import io.datasetlisting.access.account.Author;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.search.WorkspaceTextRepository;
import io.datasetlisting.catalogue.search.WorkspaceTextRepository.Text;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.rule.InputRule;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.PathId;
import io.datasetlisting.http.input.RequestBody;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Serves {@code /api/workspace/{id}/}: what a workspace is called. The account with the workspace and admins write it. All
 * callers see it if the workspace has public datasets.
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

    /** A workspace as JSON. */
    public record View(long workspace, String name, String description, String license) {
    }

    @GET
    public Uni<View> read(@PathParam("id") String id, @Context RoutingContext context) {
        return view(PathId.parse(id, TYPE), Caller.of(context));
    }

    /** As {@link #change}: a field that the request does not have stays. */
    @PUT
    public Uni<View> replace(@PathParam("id") String id, @Context RoutingContext context) {
        return change(id, context);
    }

    @PATCH
    public Uni<View> change(@PathParam("id") String id, @Context RoutingContext context) {
        long number = PathId.parse(id, TYPE);
        Caller caller = Caller.of(context);
        if (!WorkspaceTextRepository.isOwn(number, caller)) {
            throw ApiException.forbidden();
        }
        caller.checkWorkspace(number);
        return body.fields(context).chain(fields -> text(number, caller).chain(before -> {
            Text after = new Text(read(NAME, fields, "name", before.name()),
                    read(DESCRIPTION, fields, "description", before.description()),
                    read(DatasetFields.LICENSE_RULE, fields, "license", before.license()));
            fields.check();
            return workspaces.write(number, after, Author.of(context));
        })).chain(() -> view(number, caller));
    }

    /** The new value; null for an empty one. */
    private static String read(InputRule<String> rule, DrfFields fields, String name, String before) {
        String text = rule.read(fields, name, null);
        return text == null ? before : text.isEmpty() ? null : text;
    }

    private Uni<Text> text(long number, Caller caller) {
        return texts.known(List.of(number), caller).chain(known -> {
            if (known.isEmpty()) {
                throw ApiException.noSuch(TYPE);
            }
            return texts.all(caller).map(all -> all.getOrDefault(number, Text.NONE));
        });
    }

    private Uni<View> view(long number, Caller caller) {
        return text(number, caller).map(text -> new View(number, text.name(), text.description(), text.license()));
    }
}
