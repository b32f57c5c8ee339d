package io.datasetlisting.http;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Optional;
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
}
