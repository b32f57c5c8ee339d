package io.datasetlisting.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.response.ExtractableResponse;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * Reads plain paths of JSON, such as {@code results[0].id}, from a response. REST Assured would compile a script for each of
 * them, which took a seventh of the time of all tests. It still reads all others, and all values that do not match.
 */
final class JsonShortcut implements Filter {

    private static final Pattern PLAIN = Pattern.compile("\\w+(\\.\\w+|\\[\\d+])*");
    private static final Pattern STEP = Pattern.compile("\\w+");
    private static final Object UNKNOWN = new Object();

    @Override
    public Response filter(FilterableRequestSpecification request, FilterableResponseSpecification expected,
            FilterContext context) {
        Response response = context.next(request, expected);
        String type = response.contentType();
        return type != null && type.contains("json") ? new Body(response).of(Response.class, response) : response;
    }

    /** The body of a response. */
    private static final class Body {

        private final Response response;
        private Object json;

        Body(Response response) {
            this.response = response;
        }

        <T> T of(Class<T> type, Object target) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                    (proxy, method, arguments) -> call(proxy, target, method, arguments)));
        }

        private Object call(Object proxy, Object target, Method method, Object... arguments) throws Throwable {
            String name = method.getName();
            if (name.equals("path") && find((String) arguments[0]) != UNKNOWN) {
                return find((String) arguments[0]);
            }
            if (name.equals("body") && arguments != null && arguments[0] instanceof String path
                    && arguments[1] instanceof org.hamcrest.Matcher<?> matcher && ((Object[]) arguments[2]).length == 0
                    && find(path) != UNKNOWN && matcher.matches(find(path))) {
                return proxy;
            }
            try {
                Object result = method.invoke(target, arguments);
                return result instanceof ValidatableResponse && !name.toLowerCase(Locale.ROOT).contains("root")
                        ? of(ValidatableResponse.class, result)
                        : name.equals("extract") ? of(ExtractableResponse.class, result) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        /** The text, the boolean, the integer, null, or the list of these at a plain path. A name finds its values in a list. */
        private Object find(String path) {
            if (!PLAIN.matcher(path).matches()) {
                return UNKNOWN;
            }
            try {
                json = json == null ? Json.decodeValue(response.asString()) : json;
            } catch (DecodeException e) {
                return UNKNOWN;
            }
            Object value = json;
            for (Matcher step = STEP.matcher(path); step.find() && value != UNKNOWN;) {
                value = next(value, step.group());
            }
            return value instanceof JsonArray array && array.stream().allMatch(Body::isSimple)
                    ? array.stream().collect(Collectors.toList())
                    : isSimple(value) ? value : UNKNOWN;
        }

        private static Object next(Object value, String step) {
            if (value instanceof JsonObject object) {
                return object.getValue(step);
            }
            if (value instanceof JsonArray array) {
                if (step.matches("\\d+")) {
                    return Integer.parseInt(step) < array.size() ? array.getValue(Integer.parseInt(step)) : UNKNOWN;
                }
                if (array.stream().allMatch(JsonObject.class::isInstance)) {
                    return new JsonArray(
                            array.stream().map(each -> ((JsonObject) each).getValue(step))
                                    .collect(Collectors.toList()));
                }
            }
            return UNKNOWN;
        }

        private static boolean isSimple(Object value) {
            return value == null || value instanceof String || value instanceof Boolean || value instanceof Integer
                    || value instanceof Long;
        }
    }
}
