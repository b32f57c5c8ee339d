package io.datasetlisting.build;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.security.SecurityRequirement;

import io.smallrye.openapi.model.BaseModel;

/**
 * Completes {@code META-INF/openapi.yaml} during the build: adds {@code HEAD} and {@code OPTIONS} to each address, and to
 * each operation the responses that the member {@value #RULES} of the document gives all operations with its tag. A token of the
 * provider of identities is accepted wherever a token of the service is. The package does not contain this class.
 */
public class CompleteDocument implements OASFilter {

    private static final String RULES = "x-common";
    private static final String TOKEN = "Token";
    private static final String PROVIDER = "OpenIdConnect";

    private Map<?, ?>[] rules;

    @Override
    public void filterOpenAPI(OpenAPI document) {
        rules = ((List<?>) document.getExtensions().get(RULES)).toArray(Map<?, ?>[]::new);
        document.removeExtension(RULES);
        document.setSecurity(withProvider(document.getSecurity()));
        Stream.of(document.getPaths().getPathItems(), document.getComponents().getPathItems())
                .flatMap(items -> items.values().stream()).forEach(this::complete);
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
        item.setOPTIONS(copyNames(first, options, "describe"));
        add(options, rule.get("options"));
        item.getOperations().values().forEach(operation -> addCommon(operation, rule));
        if (item.getGET() != null) {
            Operation head = BaseModel.deepCopy(item.getGET(), Operation.class);
            item.setHEAD(copyNames(first, head, "head").description(null)
                    .summary("The status and the headers of `GET`, without the body."));
        }
    }

    /** Gives an operation the tags and the security of another one, and the id with another verb, if that one has an id. */
    private static Operation copyNames(Operation from, Operation to, String verb) {
        String id = from.getOperationId();
        return to.operationId(id == null ? null : id.replaceFirst("^[a-z]+", verb)).tags(from.getTags())
                .security(from.getSecurity())
                .summary(to.getSummary() == null ? "The methods of the address." : to.getSummary());
    }

    private static void addCommon(Operation operation, Map<?, ?> rule) {
        add(operation, rule.get("all"));
        if (operation.getRequestBody() != null) {
            add(operation, rule.get("body"));
        }
        if (operation.getParameters() != null) {
            operation.getParameters().forEach(parameter -> add(operation, rule.get(parameter.getRef())));
        }
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
}
