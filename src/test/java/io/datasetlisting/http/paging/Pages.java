package io.datasetlisting.http.paging;

import java.net.URI;
import java.util.Set;

import io.datasetlisting.http.input.QueryString;

/** Creates requests and links of pages from a query. */
final class Pages {

    static final String URL = "https://api.example/api/dataset/";
    static final Set<String> SORTABLE = Set.of("id", "dataset_name", "captured_date", "workspace", "user");

    record Sizes(int defaultPageSize, int maxPageSize) implements PagingConfig {

        @Override
        public int maxArraySize() {
            return maxPageSize;
        }
    }

    private Pages() {
    }

    static ListRequest request(String rawQuery) {
        return request(rawQuery, new Sizes(15, 100));
    }

    static ListRequest request(String rawQuery, PagingConfig config) {
        return ListRequest.parse(QueryString.parse(rawQuery), config, SORTABLE);
    }

    static PageLinks links(String rawQuery, long count) {
        return PageLinks.of(request(rawQuery), URL, count);
    }

    /** The query of a link. */
    static String query(String link) {
        return URI.create(link).getRawQuery();
    }
}
