package io.datasetlisting.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.http.Headers;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;

/**
 * Compares every response that REST Assured receives with the OpenAPI document, so that the service and the document
 * agree.
 */
public final class DocumentFilter implements Filter {

    @Override
    public Response filter(FilterableRequestSpecification request, FilterableResponseSpecification expected,
            FilterContext context) {
        Response answer = context.next(request, expected);
        byte[] body = answer.asByteArray();
        DocumentCheck.check(new Exchange(request.getMethod(), target(request.getURI()), map(request.getHeaders()),
                answer.statusCode(), map(answer.headers()), body == null ? new byte[0] : body));
        return answer;
    }

    private static String target(String uri) {
        int path = uri.indexOf('/', uri.indexOf("//") + 2);
        return path < 0 ? "/" : uri.substring(path);
    }

    private static Map<String, List<String>> map(Headers headers) {
        Map<String, List<String>> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach(header -> map.computeIfAbsent(header.getName(), name -> new ArrayList<>())
                .add(header.getValue()));
        return map;
    }
}
