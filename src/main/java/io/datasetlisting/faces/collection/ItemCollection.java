package io.datasetlisting.faces.collection;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;

import io.datasetlisting.catalogue.search.WorkspaceTextRepository.Text;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.cql2.Queryable;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.vertx.ext.web.RoutingContext;

/**
 * A collection of OGC API - Features. All datasets are in {@link #DATASETS}, which is also the collection of STAC: each
 * item names it. The others are views, which have some of the same items: divided by the type of their geometry, because a layer
 * of QGIS has one type, and does not draw the features of another one; and divided by workspace.
 *
 * @param workspace
 *            the number of the workspace; null for a collection that is in every catalogue
 * @param license
 *            an SPDX identifier, or {@code other}; null for the licence of the catalogue
 * @param condition
 *            of the items; null for all
 */
public record ItemCollection(String id, String title, String description, Long workspace, String license,
        Expression condition) {

    public static final ItemCollection DATASETS = fixed(0, "Datasets",
            "Datasets of drone and aerial imagery: the public ones, and the private ones that the caller may see.",
            null);
    public static final ItemCollection AREAS = fixed(1, "Datasets, areas",
            "The datasets whose geometry is an area. Its items are also in the collection datasets, which they name.",
            new Expression.HasArea());
    public static final ItemCollection POINTS = fixed(2, "Datasets, points",
            "The datasets whose geometry is a point. Its items are also in the collection datasets, which they name.",
            new Expression.Not(new Expression.HasArea()));

    /** The collections that are in every catalogue. */
    public static final List<ItemCollection> FIXED = List.of(DATASETS, AREAS, POINTS);

    /** The id of the collection of a workspace begins with this, and ends with the number. */
    private static final String PREFIX = "workspace-";
    private static final Pattern OF_WORKSPACE = Pattern.compile(PREFIX + "(0|[1-9]\\d{0,18})");
    private static final Expression.Operand WORKSPACE = new Expression.Operand(
            new Queryable("dataset:workspace", Queryable.Type.INTEGER, "workspace"), false);

    private static ItemCollection fixed(int place, String title, String description, Expression condition) {
        return new ItemCollection(Endpoints.COLLECTION_IDS.get(place), title, description, null, null, condition);
    }

    /** The collection of a workspace, whether the catalogue has it or not. */
    public static ItemCollection ofWorkspace(long number) {
        return new ItemCollection(PREFIX + number, "Workspace " + number, "The datasets of workspace "
                + number + ". Its items are also in the collection datasets, which they name.", number, null,
                in(List.of(number)));
    }

    /** The same collection with what its owner says about it. */
    ItemCollection with(Text text) {
        return new ItemCollection(id, text.name() == null ? title : text.name(),
                text.description() == null ? description : text.description(), workspace, text.license(), condition);
    }

    /** The collection of a document, which may have a title and a description of its owner. */
    public static ItemCollection of(JsonNode document) {
        return ofId(document.path("id").asText()).with(
                new Text(document.path("title").textValue(), document.path("description").textValue(), null));
    }

    /** Whether the owner of a workspace has named it. */
    public boolean isNamed() {
        return workspace != null && !title.equals(ofWorkspace(workspace).title);
    }

    private static Expression in(List<Long> workspaces) {
        return new Expression.In(WORKSPACE, workspaces.stream().<Expression.Literal>map(
                number -> new Expression.Literal.Number(BigDecimal.valueOf(number))).toList());
    }

    /** The collection with an id, whether the catalogue has it or not; null for a text that no collection can have as its id. */
    public static ItemCollection ofId(String id) {
        Matcher workspace = OF_WORKSPACE.matcher(id);
        if (workspace.matches()) {
            BigInteger number = new BigInteger(workspace.group(1));
            return number.bitLength() < Long.SIZE ? ofWorkspace(number.longValue()) : null;
        }
        return FIXED.stream().filter(each -> each.id.equals(id)).findFirst().orElse(null);
    }

    /** The path of a request, with the id of a collection in the place where the path of its endpoint has a variable. */
    public static String pathOf(RoutingContext context) {
        String path = Endpoint.of(context).path();
        int start = Endpoints.STAC.length() + Endpoints.COLLECTION_OF_WORKSPACE.indexOf('{');
        if (!path.startsWith(Endpoints.STAC + Endpoints.COLLECTION_OF_WORKSPACE)) {
            return path;
        }
        String asked = context.normalizedPath();
        int end = asked.indexOf('/', start);
        return asked.substring(0, end < 0 ? asked.length() : end)
                + path.substring(Endpoints.STAC.length() + Endpoints.COLLECTION_OF_WORKSPACE.length());
    }

    /** The collection of a path under {@code /stac}; null for an address of the whole catalogue. */
    public static ItemCollection of(String path) {
        String[] parts = path.split("/", 4);
        return parts.length > 2 && path.startsWith(Endpoints.COLLECTIONS + '/') ? ofId(parts[2]) : null;
    }

    /** The address relative to {@code /stac}. */
    public String path() {
        return Endpoints.COLLECTIONS + '/' + id;
    }

    /**
     * The conditions of the items of this collection that are in one of the named ones. All are in {@link #DATASETS}. A name
     * that no collection has finds nothing.
     */
    public List<Expression> named(List<String> ids) {
        if (ids.contains(id) || ids.contains(DATASETS.id)) {
            return List.of();
        }
        List<ItemCollection> named = ids.stream().distinct().map(ItemCollection::ofId).filter(Objects::nonNull)
                .toList();
        List<Expression> any = new ArrayList<>(
                named.stream().filter(each -> each.workspace == null).map(ItemCollection::condition).toList());
        List<Long> workspaces = named.stream().map(ItemCollection::workspace).filter(Objects::nonNull).toList();
        if (!workspaces.isEmpty()) {
            any.add(in(workspaces));
        }
        return any.isEmpty()
                ? List.of(new Expression.Constant(false))
                : any.size() == 1 ? any : List.of(new Expression.Or(any));
    }

    /** The conditions that an item of this collection meets, beside others. */
    public List<Expression> and(List<Expression> others) {
        List<Expression> all = new ArrayList<>();
        if (condition != null) {
            all.add(condition);
        }
        all.addAll(others);
        return all;
    }
}
