package io.datasetlisting.faces.build;

import java.util.List;

import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.Paths;

/**
 * Makes the document of {@code /stac} from the document of the service: its paths under {@code /stac}, relative to
 * {@code /stac}, with the components that they refer to. The build writes the result in the words of OpenAPI 3.0, which the
 * clients of STAC API and OGC API read.
 */
public class StacDocument extends CompleteDocument {

    private static final String STAC = "/stac";

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
        document.getPaths().getPathItems().forEach((path, item) -> {
            // The files of the page are for browsers only. The landing page is named once.
            if (path.startsWith(STAC + '/') && !path.startsWith(STAC + "/api/")) {
                paths.addPathItem(path.substring(STAC.length()), pathItem(path, item));
            }
        });
        document.setPaths(paths);
        removeUnused(document);
    }

    private static PathItem pathItem(String path, PathItem source) {
        return OASFactory.createPathItem().parameters(source.getParameters()).GET(operation(path, source.getGET()))
                .POST(operation(path, source.getPOST())).PUT(operation(path, source.getPUT()))
                .PATCH(operation(path, source.getPATCH())).DELETE(operation(path, source.getDELETE()));
    }

    private static Operation operation(String path, Operation source) {
        return source == null ? null : withOwnId(path, source).tags(null);
    }
}
