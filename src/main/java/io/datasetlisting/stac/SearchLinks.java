package io.datasetlisting.stac;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.input.QueryString;
import io.datasetlisting.listing.Search.Position;
import io.datasetlisting.listing.SearchResult;

/**
 * The links of a page of items.
 *
 * @param base
 *            the public address, without a slash at its end
 * @param path
 *            the path of the search
 * @param self
 *            the address as it was asked
 * @param query
 *            the parameters of a search by GET; null for a search by POST
 * @param hasPages
 *            whether searches by GET also have pages for people
 */
record SearchLinks(String base, String path, String self, QueryString query, boolean hasPages) {

    private static final String TOKEN = "token";

    /**
     * @param token
     *            writes the token of a position
     */
    List<Link> of(SearchResult result, Function<Position, String> token) {
        String stac = base + Endpoints.STAC;
        List<Link> links = new ArrayList<>();
        links.add(Link.of("self", self, MediaTypes.GEO_JSON));
        if (hasPages && query != null) {
            links.add(Link.of("alternate", address(query.with(DocumentPages.FORMAT, "html")), MediaTypes.HTML));
        }
        links.add(Link.of("root", stac));
        String scope = stac;
        if (path.endsWith(Endpoints.ITEMS)) {
            scope = base + path.substring(0, path.length() - Endpoints.ITEMS.length());
            links.add(Link.of("collection", scope));
        }
        links.add(Link.of(Link.QUERYABLES, scope + Endpoints.QUERYABLES, MediaTypes.SCHEMA_JSON));
        if (result.next() != null) {
            links.add(page("next", token.apply(result.next())));
        }
        if (result.previous() != null) {
            links.add(page("prev", token.apply(result.previous())));
        }
        links.add(page("first", null));
        links.add(page("last", token.apply(result.last())));
        return links;
    }

    /**
     * @param token
     *            null for the first page
     */
    private Link page(String relation, String token) {
        if (query == null) {
            return Link.page(relation, base + path, token);
        }
        return Link.of(relation, address(token == null ? query.without(TOKEN) : query.with(TOKEN, token)),
                MediaTypes.GEO_JSON);
    }

    private String address(QueryString query) {
        return query.appendTo(base + path);
    }
}
