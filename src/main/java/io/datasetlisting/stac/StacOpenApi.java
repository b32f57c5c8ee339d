package io.datasetlisting.stac;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The OpenAPI 3.0 document of {@code /stac}. A test makes the file {@value #FILE} from the paths under {@code /stac} of
 * {@code META-INF/openapi.yaml}, and fails if it is not up to date.
 */
@Singleton
class StacOpenApi {

    private static final String FILE = "/stac/openapi.json";

    private final ObjectMapper mapper;
    private volatile ObjectNode file;

    StacOpenApi(ObjectMapper mapper) {
        this.mapper = mapper;
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

    private ObjectNode read() {
        try (InputStream json = StacOpenApi.class.getResourceAsStream(FILE)) {
            return (ObjectNode) mapper.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
