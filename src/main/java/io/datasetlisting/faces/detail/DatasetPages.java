package io.datasetlisting.faces.detail;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.PercentEncoding;
import io.datasetlisting.base.place.Gazetteer;
import io.datasetlisting.catalogue.listing.ListingQuery;
import io.datasetlisting.catalogue.listing.NeighbourRepository;
import io.datasetlisting.catalogue.listing.NeighbourRepository.InList;
import io.datasetlisting.catalogue.listing.NeighbourRepository.Neighbours;
import io.datasetlisting.catalogue.listing.Spot;
import io.datasetlisting.catalogue.query.LastDay;
import io.datasetlisting.catalogue.search.WorkspaceTextRepository;
import io.datasetlisting.catalogue.search.WorkspaceTextRepository.Text;
import io.datasetlisting.dataset.Dataset;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.LicenseConfig;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.dataset.format.BoundingBox;
import io.datasetlisting.dataset.raster.RasterLinks;
import io.datasetlisting.dataset.raster.RasterSource;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.faces.card.Card;
import io.datasetlisting.faces.chart.BandChart;
import io.datasetlisting.faces.item.RasterAssets;
import io.datasetlisting.faces.view.Orders;
import io.datasetlisting.faces.view.ProgramLinks;
import io.datasetlisting.faces.web.HtmlPages;
import io.datasetlisting.faces.web.ValueLabels;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoint;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.PageConfig;
import io.datasetlisting.http.PublicUrl;
import io.datasetlisting.http.input.PathId;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.PagingConfig;
import io.datasetlisting.write.edit.VisibleDatasets;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/** Answers one dataset as a page for people, at its own address. The address of its STAC item has the same page. */
@Path(Endpoints.PAGES)
@Produces(MediaTypes.HTML)
@Singleton
public class DatasetPages {

    /** Of the size of a footprint. */
    private static final MathContext DIGITS = new MathContext(3);

    private final VisibleDatasets datasets;
    private final NeighbourRepository neighbours;
    private final DatasetFields fields;
    private final ThumbnailLinks thumbnails;
    private final RasterLinks rasters;
    private final Gazetteer gazetteer;
    private final PublicUrl publicUrl;
    private final PageConfig config;
    private final PagingConfig paging;
    private final LicenseConfig license;
    private final WorkspaceTextRepository texts;

    DatasetPages(VisibleDatasets datasets, NeighbourRepository neighbours, DatasetFields fields,
            ThumbnailLinks thumbnails, RasterLinks rasters, Gazetteer gazetteer, PublicUrl publicUrl, PageConfig config,
            PagingConfig paging, LicenseConfig license, WorkspaceTextRepository texts) {
        this.datasets = datasets;
        this.neighbours = neighbours;
        this.fields = fields;
        this.thumbnails = thumbnails;
        this.rasters = rasters;
        this.gazetteer = gazetteer;
        this.publicUrl = publicUrl;
        this.config = config;
        this.paging = paging;
        this.license = license;
        this.texts = texts;
    }

    @GET
    @Path(Endpoints.ID)
    public Uni<Response> read(@PathParam("id") String id, @Context RoutingContext context) {
        return answer(context, id, null);
    }

    /**
     * The response with the page of a dataset; 404 if the caller may not read it.
     *
     * @param id
     *            as in the path
     * @param item
     *            the STAC item of the dataset at the address of the item, which the page shows below all else; otherwise null
     */
    public Uni<Response> answer(@Context RoutingContext context, String id, JsonView item) {
        // Evaluated before the query, because it fails for a request without a host.
        String url = publicUrl.of("", context.request());
        String root = PublicUrl.root(Endpoint.of(context).path());
        String other = item == null ? QueryString.parse(context.request().query()).get("with") : null;
        if (other != null && !other.isBlank() && PathId.parse(id, "Dataset") != PathId.parse(other, "Dataset")) {
            return datasets.find(id, context).chain(one -> datasets.find(other, context)
                    .map(two -> HtmlPages.respond(compare(one, two, url, root, Language.of(context)),
                            Language.of(context), context)));
        }
        ListingQuery list = item == null ? list(context) : null;
        Caller caller = Caller.of(context);
        return datasets.find(id, context)
                .chain(dataset -> neighbours(dataset, list, context)
                        .chain(found -> texts.read(caller).map(workspaces -> {
                            Language language = Language.of(context);
                            String ofWorkspace = workspaces.getOrDefault(dataset.workspace, Text.NONE).license();
                            return HtmlPages.respond(page(new DatasetAddresses(url, root, dataset, language), item,
                                    around(root, list, found), caller,
                                    dataset.license == null ? ofWorkspace : dataset.license),
                                    language, context);
                        })));
    }

    /** The list from which the reader comes; null if the query is not one of a list, or is wrong. */
    private ListingQuery list(RoutingContext context) {
        try {
            QueryString asked = QueryString.parse(context.request().query()).withoutBlank().without("fields", "format",
                    "p", "page_size");
            ListingQuery list = ListingQuery.parse(LastDay.toMoment(asked), paging, fields, Caller.of(context));
            return list.filter().equals(Expression.ALL) && asked.get("ordering") == null
                    ? null
                    : new ListingQuery(ListRequest.parse(Orders.withDefault(asked), paging, fields.sortable()),
                            list.filter(), list.fields());
        } catch (ApiException e) {
            return null;
        }
    }

    private Uni<Neighbours> neighbours(Dataset dataset, ListingQuery list, RoutingContext context) {
        return dataset.coordinates == null
                ? Uni.createFrom().item(Neighbours.NONE)
                : neighbours.find(Spot.of(dataset),
                        list == null ? null : new InList(list.filter(), list.request().ordering()),
                        Caller.of(context));
    }

    private Card card(DatasetView dataset) {
        return Card.of(dataset, thumbnails::picture);
    }

    private DatasetPage.Around around(String root, ListingQuery list, Neighbours found) {
        QueryString query = list == null ? null : Orders.withoutDefault(list.request().query());
        return new DatasetPage.Around(query == null ? null : query.appendTo(root + Endpoints.PAGES.substring(1)),
                query == null ? "" : query.appendTo(""),
                found.previous() == null ? null : card(found.previous()),
                found.next() == null ? null : card(found.next()),
                found.nearby().stream().map(this::card).toList(), found.otherDays().stream().map(this::card).toList());
    }

    private DatasetPage page(DatasetAddresses addresses, JsonView item, DatasetPage.Around around, Caller caller,
            String license) {
        Dataset dataset = addresses.dataset();
        DatasetView view = fields.all().read(dataset, thumbnails.signer()::link);
        Card card = card(view);
        String description = describe(card, dataset, addresses.language());
        return new DatasetPage(
                HtmlPages.Layout.of(config, card.name() + " · " + card.day(), description, addresses.root(),
                        addresses.page()),
                card, dataset.coordinates == null, dataset.thumbnailKey != null,
                caller.mayWriteIn(dataset.workspace) && dataset.isWritableBy(caller), contact(card, addresses.page()),
                licenseLink(license), Citation.of(dataset, card.name(), addresses.page(), config.title()),
                rasters(addresses), tiles(addresses),
                where(dataset), size(dataset), pixelSize(view, addresses.language()),
                addresses, FieldGroups.of(view, addresses.language()), BandChart.all(dataset.bandStats), around,
                dataset.isPublic()
                        ? new DatasetMetadata(addresses, config.title(), licenseAddress(license)).write(card,
                                description)
                        : null,
                item);
    }

    /**
     * The links to the rasters. A browser opens a link without the reader's token, so that the link of a private dataset is a
     * signed one.
     */
    private List<ProgramLinks.Link> rasters(DatasetAddresses addresses) {
        Dataset dataset = addresses.dataset();
        RasterSource source = dataset.rasterSource();
        return Stream.of(dataset.availableRasters).filter(product -> rasters.has(source, product))
                .map(product -> new ProgramLinks.Link(
                        ValueLabels.raster(product, addresses.language()) + " (GeoTIFF)",
                        dataset.isPublic()
                                ? addresses.raster(product)
                                : rasters.link(source, product, false)))
                .filter(link -> link.href() != null).toList();
    }

    /**
     * The address of the tiles of the orthomosaic; null without tiles. A tile server receives a signed link only where the
     * operator says so.
     */
    private String tiles(DatasetAddresses addresses) {
        Dataset dataset = addresses.dataset();
        RasterSource source = dataset.rasterSource();
        if (!rasters.has(source, RasterAssets.ORTHO)) {
            return null;
        }
        String open = dataset.isPublic() ? rasters.tiles(addresses.json() + "raster/" + RasterAssets.ORTHO) : null;
        return open == null
                ? rasters.signedTiles(rasters.link(source, RasterAssets.ORTHO, false))
                : open;
    }

    private static String pixelSize(DatasetView dataset, Language language) {
        BigDecimal metres = RasterAssets.finest(dataset);
        return metres == null ? null : ValueLabels.pixelSize(metres, language);
    }

    /** @param own of the dataset or of its workspace; null for the licence of the catalogue */
    private ProgramLinks.Link licenseLink(String own) {
        String name = own == null ? license.license() : own;
        String label = LicenseConfig.IS_OTHER.matcher(name).matches() ? "" : name;
        String address = licenseAddress(own).orElse(null);
        return label.isEmpty() && address == null ? null : new ProgramLinks.Link(label, address);
    }

    private Optional<String> licenseAddress(String own) {
        return own == null ? LicenseConfig.address(license) : LicenseConfig.address(own);
    }

    private ComparePage compare(Dataset one, Dataset other, String url, String root, Language language) {
        ComparePage.Side first = side(new DatasetAddresses(url, root, one, language));
        ComparePage.Side second = side(new DatasetAddresses(url, root, other, language));
        String title = first.card().name() + " · " + second.card().name();
        return ComparePage.of(HtmlPages.Layout.of(config, title, Words.in(language).of("dataset:comparison"), root,
                new DatasetAddresses(url, root, one, language).page() + "?with=" + other.id), first, second);
    }

    private ComparePage.Side side(DatasetAddresses addresses) {
        Dataset dataset = addresses.dataset();
        DatasetView view = fields.all().read(dataset, thumbnails.signer()::link);
        Card card = card(view);
        String tiles = tiles(addresses);
        return new ComparePage.Side(card, where(dataset), BoundingBox.of(dataset.bbox), size(dataset),
                tiles == null && dataset.thumbnailKey != null ? card.thumbnail() : tiles,
                FieldGroups.of(view, addresses.language()));
    }

    private String contact(Card card, String address) {
        return config.contact().map(template -> template.replace("{id}", Long.toString(card.id()))
                .replace("{url}", PercentEncoding.path(address))
                .replace("{name}", PercentEncoding.path(card.name()))).orElse(null);
    }

    private Where where(Dataset dataset) {
        return dataset.coordinates == null
                ? null
                : gazetteer.near(dataset.coordinates[0], dataset.coordinates[1]).map(Where::of).orElse(null);
    }

    private static String size(Dataset dataset) {
        BoundingBox footprint = BoundingBox.of(dataset.bbox);
        double size = footprint == null ? 0 : footprint.squareKilometres();
        // The smallest footprints are lines within the precision of numbers.
        return size < 1e-6 ? null : new BigDecimal(size).round(DIGITS).stripTrailingZeros().toPlainString();
    }

    /** One sentence for search engines. */
    private static String describe(Card card, Dataset dataset, Language language) {
        Words words = Words.in(language);
        return Stream.concat(Stream.of(words.of("dataset:describe", card.name(), card.owner(), card.day()),
                card.place().isEmpty() ? "" : words.of("dataset:describe_place", card.place())),
                Stream.of(dataset.category).map(category -> ValueLabels.category(category, language)))
                .filter(part -> !part.isEmpty()).collect(Collectors.joining(", ", "", "."));
    }
}
