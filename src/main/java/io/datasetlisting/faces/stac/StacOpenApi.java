package io.datasetlisting.faces.stac;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.access.identity.OidcConfig;
import io.datasetlisting.access.identity.ProviderScheme;
import io.datasetlisting.base.ClassPathFile;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;

/**
 * The OpenAPI 3.0 document of {@code /stac}, which the build makes from the paths under {@code /stac} in
 * {@code src/main/openapi}.
 */
@Singleton
class StacOpenApi {

    private static final String FILE = "/openapi/stac.json";

    /** The parameter {@value Endpoint#FORMAT} of documents, and of items. */
    private static final List<String> FORMATS = List.of(Endpoint.FORMAT, Endpoint.FORMAT + "_of_items");

    private final ObjectMapper mapper;
    private final boolean hasPages;
    private final OidcConfig oidc;
    private volatile ObjectNode file;

    StacOpenApi(ObjectMapper mapper, PageConfig page, OidcConfig oidc) {
        this.mapper = mapper;
        this.oidc = oidc;
        hasPages = page.enabled();
    }

    /**
     * @param url
     *            of {@code /stac}, the address that the paths of the document are relative to
     */
    ObjectNode document(String url) {
        if (file == null) {
            file = read();
        }
        ObjectNode document = mapper.createObjectNode().setAll(file);
        document.putArray("servers").addObject().put("url", url);
        return document;
    }

    /** Removes the choice between JSON and pages. */
    private static void withoutPages(ObjectNode document) {
        for (JsonNode parameters : document.findValues("parameters")) {
            if (parameters instanceof ObjectNode named) {
                named.remove(FORMATS);
            } else {
                ((ArrayNode) parameters).removeIf(parameter -> FORMATS
                        .contains(parameter.path("$ref").asText().replace("#/components/parameters/", "")));
            }
        }
        for (JsonNode content : document.findValues("content")) {
            if (content.size() > 1) {
                ((ObjectNode) content).remove(MediaTypes.HTML);
            }
        }
    }

    private ObjectNode read() {
        try {
            ObjectNode document = (ObjectNode) mapper.readTree(ProviderScheme.describe(ClassPathFile.read(FILE), oidc));
            if (!hasPages) {
                withoutPages(document);
            }
            return document;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
