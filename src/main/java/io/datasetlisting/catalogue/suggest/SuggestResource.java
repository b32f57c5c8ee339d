package io.datasetlisting.catalogue.suggest;

import java.util.List;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.cache.PageCache;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers suggestions for a text that a person types in the search field. */
@Path(Endpoints.PAGES + Endpoints.SUGGEST)
@Produces(MediaTypes.JSON)
public class SuggestResource {

    private static final String TEXT = "q";
    private static final int MAX_TEXT = 255;

    private final Suggestions suggestions;
    private final PageCache pages;

    SuggestResource(Suggestions suggestions, PageCache pages) {
        this.suggestions = suggestions;
        this.pages = pages;
    }

    @GET
    public Uni<Response> read(@Context RoutingContext context) {
        QueryString query = QueryString.parse(context.request().query());
        DrfFields parameters = DrfFields.of(query);
        String text = parameters.words(TEXT, MAX_TEXT);
        parameters.check();
        QueryString filters = query.withoutBlank().without(TEXT, "p", "page_size", "ordering", "fields", "format");
        Caller caller = Caller.of(context);
        if (text == null) {
            suggestions.check(filters, caller);
            return Uni.createFrom().item(pages.respond(context, null, json(List.of())));
        }
        return suggestions.suggest(text, filters, caller).map(
                answer -> pages.respond(context, answer.listing(), json(answer.suggestions())));
    }

    private static JsonNode json(List<Suggestion> all) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode suggestions = json.putArray("suggestions");
        for (Suggestion each : all) {
            ObjectNode row = suggestions.addObject().put("kind", each.kind().lower()).put("text", each.text())
                    .put("detail", each.detail()).put("count", each.count()).put("parameter", each.parameter())
                    .put("value", each.value());
            row.properties().removeIf(member -> member.getValue().isNull());
        }
        return json;
    }
}
