package io.datasetlisting.catalogue.suggest;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.cache.PageCache;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.EntityTag;
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
    private final ObjectMapper mapper;

    SuggestResource(Suggestions suggestions, PageCache pages, ObjectMapper mapper) {
        this.suggestions = suggestions;
        this.pages = pages;
        this.mapper = mapper;
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
            byte[] json = write(List.of());
            return Uni.createFrom().item(EntityTag.ofContent(json).respond(context, json, MediaTypes.JSON).build());
        }
        return suggestions.suggest(text, filters, caller).map(
                answer -> pages.respond(context, answer.listing(), write(answer.suggestions()), MediaTypes.JSON));
    }

    private byte[] write(List<Suggestion> all) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Suggestion each : all) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("kind", each.kind().lower());
            row.put("text", each.text());
            row.put("detail", each.detail());
            row.put("count", each.count());
            row.put("parameter", each.parameter());
            row.put("value", each.value());
            row.values().removeIf(value -> value == null);
            rows.add(row);
        }
        return mapper.valueToTree(Map.of("suggestions", rows)).toString()
                .getBytes(StandardCharsets.UTF_8);
    }
}
