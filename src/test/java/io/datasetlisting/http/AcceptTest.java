package io.datasetlisting.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which of the offered media types {@link Accept} chooses. */
class AcceptTest {

    private static final List<String> OFFERED = List.of("application/json", "application/x-ndjson");

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"  ", "*/*", "application/*", "application/json", "APPLICATION/JSON",
            "text/html, */*;q=0.1",
            "application/problem+json", "application/json;charset=utf-8", "application/x-ndjson;q=0.5,*/*",
            "application/json, application/x-ndjson", "application/x-ndjson, application/json", "*/*;q=0.1,a/b",
            "application/x-ndjson;q=0, */*", "application/json;q=x", ",;=, application/json"})
    void theFirstTypeIsChosenUnlessAnotherHasAHigherWeight(String header) {
        assertEquals("application/json", Accept.best(header, OFFERED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/x-ndjson", "application/x-ndjson, */*;q=0.9", "application/json;q=0.5, */*",
            "application/json;q=0.2,application/x-ndjson;q=0.3", "application/json;q=0, application/*",
            "text/html, application/X-NDJSON", "application/x-ndjson, application/problem+json;q=0.5"})
    void theTypeWithTheHighestWeightIsChosen(String header) {
        assertEquals("application/x-ndjson", Accept.best(header, OFFERED));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application", "application/", "*", "json", "*/json", "application/json;q=0",
            "*/*;q=0", ";", "application/json;q=0, application/x-ndjson;q=0", "application/jsonp", ",",
            "application/jso"})
    void noTypeIsChosenIfNoneIsAccepted(String header) {
        assertNull(Accept.best(header, OFFERED));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"application/json | application/json", "application/x-ndjson | none"})
    void aTypeThatIsNotOfferedIsNotChosen(String header, String best) {
        assertEquals(best, String.valueOf(Accept.best(header, List.of("application/json"))).replace("null", "none"));
    }
}
