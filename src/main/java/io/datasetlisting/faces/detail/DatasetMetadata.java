package io.datasetlisting.faces.detail;

import java.util.Optional;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.format.BoundingBox;
import io.datasetlisting.faces.card.Card;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;

/**
 * Describes a dataset for search engines.
 *
 * @param catalogue
 *            name of the catalogue
 * @param license
 *            address of the licence's text; empty if it is not known
 *
 * @see <a href="https://developers.google.com/search/docs/appearance/structured-data/dataset">Structured data of datasets</a>
 */
record DatasetMetadata(DatasetAddresses addresses, String catalogue, Optional<String> license) {

    /** The JSON, in which no text can end the script element around the JSON. */
    String write(Card card, String description) {
        Dataset dataset = addresses.dataset();
        ObjectNode json = thing("Dataset").put("@context", "https://schema.org").put("name", card.name())
                .put("description", description).put("url", addresses.page())
                .put("identifier", dataset.uavUid.toString())
                .put("temporalCoverage", dataset.capturedDate.toString())
                .put("dateModified", dataset.updated.toString())
                .put("thumbnailUrl", addresses.thumbnail()).put("isAccessibleForFree", true);
        json.set("creator", thing("Person").put("name", card.owner()));
        license.ifPresent(address -> json.put("license", address));
        if (dataset.citation != null) {
            json.put("creditText", dataset.citation);
        }
        if (dataset.doi != null) {
            json.put("sameAs", DatasetView.resolver(dataset.doi));
        }
        for (String category : dataset.category) {
            json.withArray("keywords").add(category);
        }
        json.set("spatialCoverage", thing("Place").set("geo", place(dataset)));
        json.set("includedInDataCatalog", thing("DataCatalog").put("name", catalogue)
                .put("url", addresses.url() + Endpoints.PAGES));
        json.withArray("distribution").add(download("JSON", MediaTypes.JSON, addresses.json()))
                .add(download("STAC item", MediaTypes.GEO_JSON, addresses.item()));
        return escape(json.toString());
    }

    private static ObjectNode thing(String type) {
        return JsonNodeFactory.instance.objectNode().put("@type", type);
    }

    private static ObjectNode download(String name, String format, String address) {
        return thing("DataDownload").put("name", name).put("encodingFormat", format).put("contentUrl", address);
    }

    private static ObjectNode place(Dataset dataset) {
        BoundingBox box = BoundingBox.of(dataset.bbox);
        return box == null
                ? thing("GeoCoordinates").put("latitude", dataset.coordinates[0])
                        .put("longitude", dataset.coordinates[1])
                : thing("GeoShape").put("box", box.south() + " " + box.west() + " " + box.north() + " " + box.east());
    }

    /** Inside of a script element, HTML has no escapes of its own. */
    private static String escape(String json) {
        return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
                .replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
    }
}
