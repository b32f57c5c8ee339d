package io.datasetlisting.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

class EndpointsTest {

    private static final List<String> PAGE = List.of("/", "/datasets/", "/datasets/3/", "/datasets/changes/",
            "/datasets/grid/",
            "/datasets/suggest/", "/datasets/language/",
            "/docs/",
            "/assets/page.js", "/assets/page.css", "/robots.txt", "/sitemap.xml", "/sitemap-1.xml");
    private static final List<String> SERVICE = List.of("/api/dataset/", "/api/dataset/3/", "/api/dataset/facets/",
            "/api/dataset/histogram/", "/stac", "/stac/search");

    private static Endpoints endpoints(boolean hasPage) {
        return new Endpoints(List.of(), new PageConfig() {

            @Override
            public boolean enabled() {
                return hasPage;
            }

            @Override
            public String title() {
                return "";
            }

            @Override
            public Optional<String> tiles() {
                return Optional.empty();
            }

            @Override
            public Optional<String> tilesAttribution() {
                return Optional.empty();
            }

            @Override
            public Optional<String> satellite() {
                return Optional.empty();
            }

            @Override
            public Optional<String> satelliteAttribution() {
                return Optional.empty();
            }

            @Override
            public Optional<String> contact() {
                return Optional.empty();
            }
        });
    }

    /** A path without an endpoint is 404, see {@code AddressVariantsTest}. */
    @Test
    void withoutThePageNoneOfItsAddressesIsAnEndpoint() {
        Stream.concat(PAGE.stream(), SERVICE.stream())
                .forEach(path -> assertNotNull(endpoints(true).find(path), path));
        PAGE.forEach(path -> assertNull(endpoints(false).find(path), path));
        SERVICE.forEach(path -> assertNotNull(endpoints(false).find(path), path));
    }

    /** Addresses below /stac have sections of their own, exports have short names there, and files of the pages have none. */
    @Test
    void theDocumentHasTheMethodsAndTheCallersOfEachAddress() throws IOException {
        String table = Files.readString(Path.of("docs/api.md")).replaceFirst("(?s).*\n## Addresses\n", "")
                .replaceFirst("(?s)\n##.*", "");
        Map<String, String> documented = new TreeMap<>();
        for (String row : table.lines().filter(line -> line.startsWith("| `")).toList()) {
            String[] cells = row.split(" *\\| *", 4);
            Pattern.compile("`([^`]+)`").matcher(cells[1]).results()
                    .forEach(path -> documented.put(path.group(1), cells[2] + ": " + cells[3].split("[ ,;|]")[0]));
        }
        List<String> wrong = new ArrayList<>();
        for (Endpoint endpoint : endpoints(true).all()) {
            String path = endpoint.path().replaceFirst("-\\{id}\\.xml$", "-{n}.xml");
            String methods = Stream.of(endpoint.allow().split(", ")).filter(each -> !each.matches("HEAD|OPTIONS"))
                    .collect(Collectors.joining("`, `", "`", "`: ")) + switch (endpoint.access()) {
                        case ADMINS -> "admins";
                        case MEMBERS -> "every";
                        default -> "";
                    };
            String written = documented.getOrDefault(path, documented.getOrDefault(path.replaceFirst("/$", ""), ""));
            if (!path.matches("/(stac|assets|exports)\\b.*|/docs/.+") && !written.startsWith(methods)) {
                wrong.add(path + " has " + methods + ", and the document " + written);
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(documented.size() > 50, documented.keySet()::toString);
    }
}
