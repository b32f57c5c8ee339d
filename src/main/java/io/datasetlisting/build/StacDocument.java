package io.datasetlisting.build;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.Paths;
import org.eclipse.microprofile.openapi.models.Reference;

import io.smallrye.openapi.model.BaseModel;

/**
 * Makes the document of {@code /stac} from the document of the service: its paths under {@code /stac}, relative to
 * {@code /stac}, with the components that they refer to. The build writes the result in the words of OpenAPI 3.0, which the
 * clients of STAC API and OGC API read.
 */
public class StacDocument extends CompleteDocument {

    private static final String STAC = "/stac";
    private static final Pattern OTHER_COLLECTION = Pattern.compile("/collections/(?!datasets)(\\w)(\\w+).*");

    @Override
    public void filterOpenAPI(OpenAPI document) {
        super.filterOpenAPI(document);
        document.getInfo().title("Datasets as STAC API and OGC API - Features").summary(null)
                .description("The datasets of the service for clients of STAC API 1.0.0 and OGC API - Features. Every "
                        + "address also answers `HEAD` and `OPTIONS`. Parameters that an address does not have are a 400.")
                .license(OASFactory.createLicense().name("Apache-2.0")
                        .url("https://www.apache.org/licenses/LICENSE-2.0.html"));
        document.servers(List.of(OASFactory.createServer().url(STAC))).tags(null);
        Paths paths = OASFactory.createPaths();
        Map<String, PathItem> shared = document.getComponents().getPathItems();
        document.getPaths().getPathItems().forEach((path, item) -> {
            // The files of the page are for browsers only. The landing page is named once.
            if (path.startsWith(STAC + '/') && !path.startsWith(STAC + "/api/")) {
                String ref = item.getRef();
                PathItem source = ref == null ? item : shared.get(ref.substring(ref.lastIndexOf('/') + 1));
                String relative = path.substring(STAC.length());
                paths.addPathItem(relative, pathItem(relative, source));
            }
        });
        document.paths(paths).getComponents().pathItems(null);
        removeUnused(document);
    }

    private static PathItem pathItem(String path, PathItem source) {
        return OASFactory.createPathItem().parameters(source.getParameters()).GET(operation(path, source.getGET()))
                .POST(operation(path, source.getPOST())).PUT(operation(path, source.getPUT()))
                .PATCH(operation(path, source.getPATCH())).DELETE(operation(path, source.getDELETE()));
    }

    /** Each operation has an id of its own: that of a shared path item, and the collection unless this is {@code datasets}. */
    private static Operation operation(String path, Operation source) {
        if (source == null) {
            return null;
        }
        Matcher other = OTHER_COLLECTION.matcher(path);
        String suffix = other.matches() ? "Of" + other.group(1).toUpperCase(Locale.ROOT) + other.group(2) : "";
        return BaseModel.deepCopy(source, Operation.class).tags(null).operationId(source.getOperationId() + suffix);
    }

    private static void removeUnused(OpenAPI document) {
        Map<String, Object> components = properties(document.getComponents());
        Set<String> used = new HashSet<>();
        Deque<Object> open = new ArrayDeque<>(document.getPaths().getPathItems().values());
        while (!open.isEmpty()) {
            Object value = open.pop();
            if (value instanceof Map<?, ?> map) {
                open.addAll(map.values());
            } else if (value instanceof Collection<?> list) {
                open.addAll(list);
            } else if (value instanceof BaseModel<?> model) {
                if (model instanceof Reference<?> && model.getRef() != null && used.add(model.getRef())) {
                    String[] names = model.getRef().split("/");
                    open.add(((Map<?, ?>) components.get(names[2])).get(names[3]));
                }
                open.addAll(model.getAllProperties().values());
            }
        }
        components.forEach((kind, named) -> {
            if (!kind.equals("securitySchemes")) {
                ((Map<?, ?>) named).keySet().removeIf(name -> !used.contains("#/components/" + kind + '/' + name));
            }
        });
    }

    private static Map<String, Object> properties(Object model) {
        return ((BaseModel<?>) model).getAllProperties();
    }
}
