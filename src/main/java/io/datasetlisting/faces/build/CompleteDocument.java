package io.datasetlisting.faces.build;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.Reference;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.security.SecurityRequirement;

import io.smallrye.openapi.model.BaseModel;

/**
 * Completes the document of {@link MergedParts} during the build: adds {@code OPTIONS} to each address, {@code HEAD} to each
 * with {@code GET}, and to each operation the responses that the member {@value #RULES} of the document gives all operations
 * with its tag. A token of the provider of identities is accepted wherever a token of the service is. The package does not
 * contain this class.
 */
public class CompleteDocument implements OASFilter {

    private static final String RULES = "x-common";
    private static final String TOKEN = "Token";
    private static final String PROVIDER = "OpenIdConnect";
    private static final Pattern OTHER_COLLECTION = Pattern.compile("/stac/collections/(?!datasets)(\\w)(\\w+).*");

    private Map<?, ?>[] rules;

    @Override
    public void filterOpenAPI(OpenAPI document) {
        rules = ((List<?>) document.getExtensions().get(RULES)).toArray(Map<?, ?>[]::new);
        document.removeExtension(RULES);
        document.setSecurity(withProvider(document.getSecurity()));
        document.getPaths().getPathItems().values().forEach(this::complete);
    }

    private static List<SecurityRequirement> withProvider(List<SecurityRequirement> alternatives) {
        return alternatives == null
                ? null
                : alternatives.stream().flatMap(each -> each.hasScheme(TOKEN)
                        ? Stream.of(each, OASFactory.createSecurityRequirement().addScheme(PROVIDER))
                        : Stream.of(each)).toList();
    }

    private void complete(PathItem item) {
        item.getOperations().values().forEach(
                operation -> operation.setSecurity(withProvider(operation.getSecurity())));
        for (Operation first : item.getOperations().values().stream().limit(1).toList()) {
            for (Map<?, ?> rule : rules) {
                if (((List<?>) rule.get("tags")).contains(first.getTags().get(0))) {
                    complete(item, first, rule);
                }
            }
        }
    }

    private static void complete(PathItem item, Operation first, Map<?, ?> rule) {
        Operation options = item.getOPTIONS() == null ? OASFactory.createOperation() : item.getOPTIONS();
        // Another address may have the same noun with the verb of a read.
        String noun = first.getOperationId().replaceFirst(item.getGET() == null ? "^" : "^[a-z]+", "");
        noun = noun.substring(0, 1).toUpperCase(Locale.ROOT) + noun.substring(1);
        item.setOPTIONS(copyNames(first, options, "describe" + noun));
        add(options, rule.get("options"));
        item.getOperations().values().forEach(operation -> addCommon(item, operation, rule));
        if (item.getGET() != null) {
            Operation head = BaseModel.deepCopy(item.getGET(), Operation.class);
            item.setHEAD(copyNames(first, head, "head" + noun).description(null)
                    .summary("The status and the headers of `GET`, without the body."));
        }
    }

    /** Gives an operation the tags, the security and the id of another one. */
    private static Operation copyNames(Operation from, Operation to, String id) {
        return to.operationId(id).tags(from.getTags()).security(from.getSecurity())
                .summary(to.getSummary() == null ? "The methods of the address." : to.getSummary());
    }

    private static void addCommon(PathItem item, Operation operation, Map<?, ?> rule) {
        add(operation, rule.get("all"));
        if (operation.getRequestBody() != null) {
            add(operation, rule.get("body"));
        }
        Stream.of(item.getParameters(), operation.getParameters()).filter(Objects::nonNull).flatMap(List::stream)
                .forEach(parameter -> add(operation, rule.get(parameter.getRef())));
    }

    /**
     * Adds responses that the operation does not have, and puts all in the order of their statuses.
     *
     * @param names
     *            a map from the status to the name of the response; null for none
     */
    private static void add(Operation operation, Object names) {
        if (operation.getResponses() == null) {
            operation.setResponses(OASFactory.createAPIResponses());
        }
        Map<String, APIResponse> responses = new TreeMap<>(operation.getResponses().getAPIResponses());
        if (names != null) {
            ((Map<?, ?>) names).forEach((status, name) -> responses.putIfAbsent(status.toString(),
                    OASFactory.createAPIResponse().ref(name.toString())));
        }
        operation.getResponses().setAPIResponses(responses);
    }

    /** The component that a reference names, or the value itself. */
    protected static <T extends Reference<T>> T named(T value, Map<String, T> components) {
        return value.getRef() == null ? value : components.get(name(value));
    }

    /** The name of the component to which a value refers. */
    protected static String name(Reference<?> value) {
        return value.getRef().substring(value.getRef().lastIndexOf('/') + 1);
    }

    /** Gives an operation that several addresses have an id of its own, with the collection unless this is {@code datasets}. */
    protected static Operation withOwnId(String path, Operation operation) {
        Matcher other = OTHER_COLLECTION.matcher(path);
        return !other.matches()
                ? operation
                : operation.operationId(
                        operation.getOperationId() + "Of" + other.group(1).toUpperCase(Locale.ROOT) + other.group(2));
    }

    /** All values of a type below a value. */
    protected static <T> List<T> all(Object root, Class<T> type) {
        List<T> found = new ArrayList<>();
        Deque<Object> open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty()) {
            Object value = open.pop();
            if (type.isInstance(value)) {
                found.add(type.cast(value));
            }
            open.addAll(children(value));
        }
        return found;
    }

    private static Collection<?> children(Object value) {
        return value instanceof BaseModel<?> model
                ? values(model.getAllProperties())
                : value instanceof Map<?, ?> map ? values(map) : value instanceof Collection<?> list ? list : List.of();
    }

    private static Collection<?> values(Map<?, ?> map) {
        return map.values().stream().filter(Objects::nonNull).toList();
    }

    /** Removes the components to which no path refers. */
    protected static void removeUnused(OpenAPI document) {
        Map<String, Object> components = properties(document.getComponents());
        Set<String> used = new HashSet<>();
        Deque<Object> open = new ArrayDeque<>(document.getPaths().getPathItems().values());
        while (!open.isEmpty()) {
            Object value = open.pop();
            String ref = ref(value);
            if (ref != null && used.add(ref)) {
                String[] names = ref.split("/");
                open.add(((Map<?, ?>) components.get(names[2])).get(names[3]));
            }
            open.addAll(children(value));
        }
        components.forEach((kind, named) -> {
            if (!kind.equals("securitySchemes")) {
                ((Map<?, ?>) named).keySet().removeIf(name -> !used.contains("#/components/" + kind + '/' + name));
            }
        });
    }

    /** The name of the component to which a value refers, or null. An extension has plain maps. */
    private static String ref(Object value) {
        return value instanceof Reference<?> reference
                ? reference.getRef()
                : value instanceof Map<?, ?> map && map.get("$ref") instanceof String ref ? ref : null;
    }

    private static Map<String, Object> properties(Object model) {
        return ((BaseModel<?>) model).getAllProperties();
    }
}
