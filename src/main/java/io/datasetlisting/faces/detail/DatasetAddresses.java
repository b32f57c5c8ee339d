package io.datasetlisting.faces.detail;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.catalogue.listing.Spot;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.cql2.Expression.Box;
import io.datasetlisting.faces.item.ItemProperties;
import io.datasetlisting.faces.stac.Links;
import io.datasetlisting.faces.view.ProgramLinks;
import io.datasetlisting.faces.view.ProgramLinks.Command;
import io.datasetlisting.faces.view.ProgramLinks.Link;
import io.datasetlisting.faces.web.ValueLabels;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;

/**
 * The addresses of a dataset and of the datasets that have something in common with it.
 *
 * @param url
 *            public address of the service, without a slash at its end
 * @param root
 *            relative address of the service
 */
record DatasetAddresses(String url, String root, Dataset dataset, Language language) {

    public String page() {
        return url + Endpoints.PAGES + dataset.id + '/';
    }

    String json() {
        return url + Endpoints.DATASETS + dataset.id + '/';
    }

    public String item() {
        return Links.item(url, dataset.id);
    }

    /** The address of the thumbnail that does not expire. */
    public String thumbnail() {
        return json() + "thumbnail/";
    }

    /** The relative address of a raster that does not expire. */
    String raster(String product) {
        return relative(json()) + "raster/" + product;
    }

    /** The formats of the dataset. A draft has no item. */
    public List<Link> formats() {
        Link json = new Link("JSON", relative(json()));
        return dataset.coordinates == null
                ? List.of(json)
                : List.of(json, new Link(Words.in(language).of("dataset:stac_item") + " (GeoJSON)",
                        relative(item()) + "?f=json"));
    }

    /** The lists of the categories, by which the page names them. */
    public List<Link> categories() {
        return Stream.of(dataset.category).map(
                category -> list(ValueLabels.category(category, language), "category", category)).toList();
    }

    /** The list of the owner. */
    public Link owner() {
        // The filter splits its value at commas.
        return list(dataset.ownerName, "user",
                dataset.ownerName.contains(",") ? Long.toString(dataset.ownerId) : dataset.ownerName);
    }

    private String relative(String address) {
        return root + address.substring(url.length() + 1);
    }

    /** The lists of datasets with the same workspace, and of datasets nearby. */
    public List<Link> related() {
        List<Link> related = new ArrayList<>();
        Words words = Words.in(language);
        String workspace = Long.toString(dataset.workspace);
        related.add(list(words.of("msg:datasets_of_workspace", workspace), "workspace", workspace));
        if (dataset.coordinates != null) {
            Box nearby = Spot.of(dataset).surroundings();
            related.add(list(words.of("msg:datasets_nearby"), "in_bbox", String.format(Locale.ROOT,
                    "%.4f,%.4f,%.4f,%.4f", nearby.west(), nearby.south(), nearby.east(), nearby.north())));
        }
        return related;
    }

    private Link list(String label, String filter, String value) {
        return new Link(label, root + Endpoints.PAGES.substring(1) + '?' + filter + '=' + PercentEncoding.form(value));
    }

    /** Lines to copy. */
    public List<Command> commands() {
        String address = ProgramLinks.shellWord(json());
        return dataset.isPublic()
                ? List.of(new Command("curl", "curl " + address),
                        new Command("pystac-client", ProgramLinks.pystacClient("item", url)
                                + ".get_collection(\"" + ItemProperties.COLLECTION_ID + "\").get_item(\"" + dataset.id
                                + "\")"))
                : List.of(new Command("curl", "curl -H \"Authorization: Token $TOKEN\" " + address));
    }
}
