package io.datasetlisting.http.input;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The JSON body of the response to {@code OPTIONS}.
 *
 * @param renders
 *            media types of responses
 * @param parses
 *            media types of request bodies
 * @param actions
 *            for each method the fields that the caller may send. Null, and absent from the JSON, if the caller may not write
 */
public record ApiDescription(String name, String description, List<String> renders, List<String> parses,
        @JsonInclude(JsonInclude.Include.NON_NULL) Map<String, Object> actions) {
}
