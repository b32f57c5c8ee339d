package io.datasetlisting.web;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.chart.BandChart;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.LicenseConfig;
import io.datasetlisting.edit.VisibleDatasets;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.EntityTag;
import io.datasetlisting.http.MediaTypes;
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
     * @param item
     *            the STAC item of the dataset at the address of the item, which the page shows below all else; otherwise null
     */
    public Uni<Response> answer(RoutingContext context, String id, JsonView item) {
        // Evaluated before the query, because it fails for a request without a host.
        String url = publicUrl.of("", context.request());
        String root = PublicUrl.root(Endpoint.of(context).path());
        return datasets.find(id, context).map(dataset -> {
            byte[] html = HtmlPages.render(page(new DatasetAddresses(url, root, dataset), item));
            return EntityTag.ofContent(html).respond(context, html, MediaTypes.HTML).build();
        });
    }

    private DatasetPage page(DatasetAddresses addresses, JsonView item) {
        Dataset dataset = addresses.dataset();
        DatasetView view = fields.all().read(dataset, thumbnails.signer()::link);
        Card card = Card.of(view);
        String description = describe(card, dataset);
        List<FieldRow> rows = new ArrayList<>();
        view.forEach((field, value) -> rows.add(FieldRow.of(field, value)));
        return new DatasetPage(
                HtmlPages.Layout.of(config, card.name(), description, addresses.root(), addresses.page()),
                card, dataset.coordinates == null, addresses, rows,
                BandChart.all(dataset.bandStats),
                dataset.isPublic()
                        ? new DatasetMetadata(addresses, config.title(), LicenseConfig.address(license)).write(card,
                                description)
                        : null,
                item);
    }

    /** One sentence for search engines. */
    private static String describe(Card card, Dataset dataset) {
        return Stream.of(card.name() + ": drone or aerial imagery of " + card.owner(), "captured on " + card.day(),
                card.place().isEmpty() ? "" : "at " + card.place(), String.join(", ", dataset.category))
                .filter(part -> !part.isEmpty()).collect(Collectors.joining(", ", "", "."));
    }
}
