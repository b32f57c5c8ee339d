package io.datasetlisting.faces.view;

import java.util.ArrayList;
import java.util.List;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.databind.node.TextNode;

import io.datasetlisting.base.SpoolConfig;
import io.datasetlisting.catalogue.listing.ListingQuery;
import io.datasetlisting.faces.item.StacSearch;
import io.datasetlisting.faces.web.Words;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.Language;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.write.exports.ExportFormat;
import io.datasetlisting.write.exports.ExportsConfig;

/** Offers a view to programs: as links to its formats, and as lines to copy. */
@Singleton
public class ProgramLinks {

    private final ExportsConfig exports;
    private final boolean hasSpool;

    ProgramLinks(ExportsConfig exports, SpoolConfig spool) {
        this.exports = exports;
        hasSpool = spool.spool().isPresent();
    }

    /** Differs if the links to other formats do. */
    public String form() {
        return (hasSpool ? "-spool" : "") + (exports.store().isOn() ? "-exports" : "");
    }

    /** A link of a page. */
    public record Link(String label, String href) {
    }

    /** Lines to copy. */
    public record Command(String label, String line) {
    }

    /**
     * The formats of a view.
     *
     * @param root
     *            relative address of the service
     */
    public List<Link> formats(ListingQuery view, StacSearch search, String root, Language language) {
        Words words = Words.in(language);
        QueryString page = view.request().query().without(Chips.VIEW, Chips.PLACE);
        QueryString all = page.without("p", "page_size");
        String listing = root + Endpoints.DATASETS.substring(1);
        List<Link> links = new ArrayList<>(List.of(new Link(words.of("msg:this_page", "JSON"), page.appendTo(listing)),
                new Link(words.of("msg:all_pages", "GeoJSON"), features(all).appendTo(listing)),
                new Link(words.of("msg:all_pages", "CSV"), all.with("format", "csv").appendTo(listing)),
                new Link(words.of("msg:all_pages", words.of("msg:json_lines")),
                        all.with("format", "ndjson").appendTo(listing)),
                new Link(words.of("msg:all_pages", "GeoParquet"), all.with("format", "geoparquet").appendTo(listing))));
        if (hasSpool) {
            links.add(new Link(words.of("msg:all_pages", "FlatGeobuf"),
                    all.with("format", "flatgeobuf").appendTo(listing)));
        }
        links.add(new Link(words.of("msg:stac_search") + limits(search, words),
                root + (Endpoints.STAC + Endpoints.STAC_SEARCH).substring(1) + '?' + search.query()));
        links.add(new Link(words.of("msg:changes"), Chips.filters(view.request().query())
                .appendTo(root + (Endpoints.PAGES + Endpoints.CHANGES).substring(1))));
        if (exports.store().isOn()) {
            for (ExportFormat format : ExportFormat.values()) {
                links.add(new Link(words.of("msg:stored_file", format.title), root + format.path().substring(1)));
            }
        }
        return links;
    }

    /**
     * The view as lines to copy.
     *
     * @param service
     *            public address of the service, without a slash at its end
     */
    public List<Command> commands(ListingQuery view, StacSearch search, String service, Language language) {
        Words words = Words.in(language);
        QueryString page = view.request().query().without(Chips.VIEW, Chips.PLACE);
        QueryString features = features(page.without("p", "page_size"));
        String listing = service + Endpoints.DATASETS;
        return List.of(new Command("curl", "curl " + shellWord(page.appendTo(listing))),
                new Command(words.of("msg:qgis_view"), features.appendTo(listing)),
                new Command(
                        words.of("msg:qgis_all"),
                        service + Endpoints.STAC),
                new Command("pystac-client" + limits(search, words), pystac(search, service)),
                new Command(words.of("msg:all_pages", "GeoPackage (ogr2ogr)"),
                        "ogr2ogr datasets.gpkg " + shellWord("GeoJSON:" + features.appendTo(listing))
                                + " -nln datasets -nlt GEOMETRY -mapFieldType StringList=String,RealList=String"));
    }

    /** The features of all pages. */
    private static QueryString features(QueryString all) {
        return all.with("format", "geojson").with("all", "true");
    }

    private static String limits(StacSearch search, Words words) {
        return search.leftOut().isEmpty()
                ? ""
                : " (" + words.of("msg:cannot_filter", String.join(", ", search.leftOut())) + ")";
    }

    private static String pystac(StacSearch search, String service) {
        List<String> arguments = new ArrayList<>();
        if (!search.box().isEmpty()) {
            arguments.add("bbox=[" + String.join(", ", search.box()) + "]");
        }
        if (!search.filter().isEmpty()) {
            arguments.add("filter=" + pythonText(search.filter()));
        }
        arguments.add("sortby=" + pythonText(search.sortby()));
        arguments.add("max_items=" + search.limit());
        return pystacClient("search", service) + ".search(" + String.join(", ", arguments) + ")\n"
                + "print(search.matched(), [item.id for item in search.items()])";
    }

    /** The beginning of lines of Python, in which a method of the client follows. Its result has this name. */
    public static String pystacClient(String result, String service) {
        return "from pystac_client import Client\n" + result + " = Client.open("
                + pythonText(service + Endpoints.STAC) + ")";
    }

    /** Python reads the escapes of JSON, too. */
    private static String pythonText(String text) {
        return TextNode.valueOf(text).toString();
    }

    /** A word of a POSIX shell that stands for this text. */
    public static String shellWord(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
