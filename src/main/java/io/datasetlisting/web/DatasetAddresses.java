package io.datasetlisting.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.format.BoundingBox;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.PercentEncoding;
import io.datasetlisting.web.ListPage.Command;

/**
 * The addresses of a dataset and of the datasets that have something in common with it.
 *
 * @param url
 *            public address of the service, without a slash at its end
 * @param root
 *            relative address of the service
 */
record DatasetAddresses(String url, String root, DatasetView dataset) {

    /** A link of the page. */
    record Reference(String label, String href) {
    }

    /** Half of the width of the area that is nearby, in degrees. */
    private static final double NEARBY = 0.25;

    String page() {
        return url + Endpoints.PAGES + dataset.id() + '/';
    }

    String json() {
        return url + Endpoints.DATASETS + dataset.id() + '/';
    }

    String item() {
        return url + Endpoints.STAC + Endpoints.ITEMS + '/' + dataset.id();
    }

    /** The address of the thumbnail that does not expire. */
    public String thumbnail() {
        return json() + "thumbnail/";
    }

    /** The formats of the dataset. A draft has no item. */
    public List<Reference> formats() {
        List<Reference> formats = new ArrayList<>();
        formats.add(new Reference("JSON", relative(json())));
        if (dataset.coordinates().length > 0) {
            formats.add(new Reference("STAC item (GeoJSON)", relative(item()) + "?f=json"));
        }
        return formats;
    }

    private String relative(String address) {
        return root + address.substring(url.length() + 1);
    }

    public List<Reference> related() {
        List<Reference> related = new ArrayList<>();
        String user = (String) dataset.get("user");
        String owner = Card.owner(user);
        // The filter splits its value at commas.
        related.add(list("Datasets of " + owner, "user",
                owner.contains(",") ? user.substring(owner.length() + 1) : owner));
        String workspace = dataset.get("workspace").toString();
        related.add(list("Datasets of workspace " + workspace, "workspace", workspace));
        for (String category : (String[]) dataset.get("category")) {
            related.add(list("Datasets of the category " + category, "category", category));
        }
        String around = around();
        if (around != null) {
            related.add(list("Datasets nearby", "in_bbox", around));
        }
        return related;
    }

    private Reference list(String label, String filter, String value) {
        return new Reference(label, root + "datasets/?" + filter + '=' + PercentEncoding.form(value));
    }

    /** The box of the dataset and the area around it; null for a draft. */
    private String around() {
        BoundingBox box = BoundingBox.of(dataset.bbox());
        double[] point = dataset.coordinates();
        if (box == null && point.length == 0) {
            return null;
        }
        if (box == null) {
            box = new BoundingBox(point[1], point[0], point[1], point[0]);
        }
        return String.format(Locale.ROOT, "%.4f,%.4f,%.4f,%.4f", Math.max(-180, box.west() - NEARBY),
                Math.max(-90, box.south() - NEARBY), Math.min(180, box.east() + NEARBY),
                Math.min(90, box.north() + NEARBY));
    }

    /** Lines to copy. */
    public List<Command> commands() {
        List<Command> commands = new ArrayList<>();
        boolean isPublic = !(Boolean) dataset.get("is_private") && dataset.coordinates().length > 0;
        commands.add(new Command("curl",
                "curl " + (isPublic ? "" : "-H \"Authorization: Token $TOKEN\" ") + ProgramLinks.shellWord(json())));
        if (isPublic) {
            commands.add(new Command("pystac-client", "from pystac_client import Client\n"
                    + "item = Client.open(" + ProgramLinks.pythonText(url + Endpoints.STAC)
                    + ").get_collection(\"datasets\").get_item(\"" + dataset.id() + "\")"));
        }
        return commands;
    }
}
