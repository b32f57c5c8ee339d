package io.datasetlisting.http;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * The answer to {@code OPTIONS}.
 *
 * @param renders
 *            media types that it answers in
 * @param parses
 *            media types that it reads
 * @param actions
 *            by method: the fields that the caller may send; null, and left out, for one who may not
 */
public record ApiDescription(String name, String description, List<String> renders, List<String> parses,
        @JsonInclude(JsonInclude.Include.NON_NULL) Map<String, Object> actions) {

    /** An address that answers JSON. */
    public static ApiDescription of(String name, List<String> parses) {
        return new ApiDescription(name, "", List.of("application/json"), parses, null);
    }
}
