package io.datasetlisting.web;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.LicenseConfig;
import io.datasetlisting.dataset.VisibleDatasets;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.storage.ThumbnailLinks;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Makes the page of a dataset, at its own address and at the address of its STAC item. */
@Singleton
public class DatasetPages {

    private final VisibleDatasets datasets;
    private final DatasetFields fields;
    private final ThumbnailLinks thumbnails;
    private final PublicUrl publicUrl;
    private final PageConfig config;
    private final LicenseConfig license;

    DatasetPages(VisibleDatasets datasets, DatasetFields fields, ThumbnailLinks thumbnails, PublicUrl publicUrl,
            PageConfig config, LicenseConfig license) {
        this.datasets = datasets;
        this.fields = fields;
        this.thumbnails = thumbnails;
        this.publicUrl = publicUrl;
        this.config = config;
        this.license = license;
    }

    /**
     * The response with the page of a dataset; 404 if the caller may not read it.
     *
     * @param id
     *            as in the path
     * @param root
     *            relative address of the service, {@code ../../} for example
     */
    Uni<Response> answer(RoutingContext context, String id, String root) {
        return answer(context, id, root, null);
    }

    /**
     * The same response at the address of the dataset's STAC item.
     *
     * @param item
     *            the item, which the page shows below all else
     */
    public Uni<Response> answer(RoutingContext context, String id, String root, JsonView item) {
        // Evaluated before the query, because it fails for a request without a host.
        String url = publicUrl.of("", context.request());
        return datasets.find(id, context).map(dataset -> {
            byte[] html = HtmlPages.render(page(dataset, url, root, item));
            return HtmlPages.answer(context, html, EntityTag.ofContent(html)).build();
        });
    }

    private DatasetPage page(Dataset dataset, String url, String root, JsonView item) {
        DatasetView view = fields.all().read(dataset, thumbnails.signer()::link);
        String name = Card.name(view);
        DatasetAddresses addresses = new DatasetAddresses(url, root, view);
        String description = describe(name, view);
        List<FieldRow> rows = new ArrayList<>();
        view.forEach((field, value) -> rows.add(FieldRow.of(field, value)));
        return new DatasetPage(
                new Layout(config.title(), name + " · " + config.title(), description, root, addresses.page()),
                name, Card.place(view.coordinates()), Card.box(view), BaseMap.of(config), dataset.isPrivate,
                dataset.coordinates == null,
                (String) view.get("thumbnail_image"), addresses, rows, BandChart.all((String) view.get("band_stats")),
                dataset.isPrivate || dataset.coordinates == null
                        ? null
                        : new DatasetMetadata(addresses, config.title(), LicenseConfig.address(license)).write(dataset,
                                view, name, description),
                item);
    }

    /** One sentence for search engines. */
    private static String describe(String name, DatasetView dataset) {
        String place = Card.place(dataset.coordinates());
        return Stream.of(name + ": drone or aerial imagery of " + Card.owner((String) dataset.get("user")),
                "captured on " + dataset.get("captured_date").toString().substring(0, 10),
                place.isEmpty() ? "" : "at " + place, String.join(", ", (String[]) dataset.get("category")))
                .filter(part -> !part.isEmpty()).collect(Collectors.joining(", ", "", "."));
    }
}
