package io.datasetlisting.faces.site;

import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.catalogue.listing.ListingQuery;
import io.datasetlisting.catalogue.listing.ListingRepository;
import io.datasetlisting.catalogue.listing.ListingResult;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.Revision;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.Endpoints;
import io.datasetlisting.http.MediaTypes;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.http.paging.Ordering;
import io.quarkus.qute.HtmlEscaper;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Writes the addresses of the public datasets' pages for search engines, in the order of ids: an index, and parts.
 *
 * <p>
 * A part is read in windows, one after the other, as the client reads. Ranks make each of them as cheap as the first. No
 * snapshot is held, so a part may miss a dataset, or contain one twice, while others are added or deleted.
 *
 * @see <a href="https://www.sitemaps.org/protocol.html">Sitemaps</a>
 */
@Singleton
class Sitemap {

    private static final HtmlEscaper ESCAPER = new HtmlEscaper(List.of(MediaTypes.XML));
    private static final String XML = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    private static final String NAMESPACE = " xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
    /** The protocol allows no more. */
    private static final int PART = 50_000;
    /** About 130 KB of text: compressing more at once would delay other requests. */
    private static final int WINDOW = 1_000;

    private final ListingRepository repository;
    private final DatasetFields fields;
    private final int part;
    private final int window;

    @Inject
    Sitemap(ListingRepository repository, DatasetFields fields) {
        this(repository, fields, PART, WINDOW);
    }

    /**
     * @param part
     *            datasets in a part, a multiple of the window
     */
    Sitemap(ListingRepository repository, DatasetFields fields, int part, int window) {
        this.repository = repository;
        this.fields = fields;
        this.part = part;
        this.window = window;
    }

    /**
     * The index of all parts.
     *
     * @param url
     *            of the service
     */
    Uni<byte[]> index(String url) {
        return read(1, 1).map(first -> bytes(XML + "<sitemapindex" + NAMESPACE
                + LongStream.rangeClosed(1, Math.max(1, (first.count() + part - 1) / part))
                        .mapToObj(number -> "<sitemap><loc>"
                                + ESCAPER.map(url + Endpoints.SITEMAP_PART.replace("{id}", Long.toString(number)), null)
                                + "</loc></sitemap>\n")
                        .collect(Collectors.joining())
                + "</sitemapindex>\n"));
    }

    /**
     * The first window of a part. Fails with 404 if there are fewer parts. The first part always exists.
     *
     * @param number
     *            of the part, from 1
     */
    Uni<ListingResult> start(long number) {
        return read(firstWindow(number), window).invoke(first -> {
            if (first.revisions().isEmpty() && number > 1) {
                throw ApiException.notFound();
            }
        });
    }

    /** A part. Without datasets it lists the page of the catalogue, because a sitemap has at least one address. */
    Multi<byte[]> part(String url, long number, ListingResult start) {
        long rest = Math.max(0, start.count() - (number - 1) * part);
        int windows = (int) ((Math.min(part, rest) + window - 1) / window);
        String pages = ESCAPER.map(url + Endpoints.PAGES, null);
        String first = XML + "<urlset" + NAMESPACE
                + (rest == 0 ? "<url><loc>" + pages + "</loc></url>\n" : urls(pages, start.revisions()));
        return Multi.createBy().concatenating().streams(
                Multi.createFrom().item(() -> bytes(first)),
                Multi.createFrom().range(1, Math.max(1, windows))
                        .onItem().transformToUniAndConcatenate(i -> read(firstWindow(number) + i, window))
                        .map(result -> bytes(urls(pages, result.revisions()))),
                Multi.createFrom().item(() -> bytes("</urlset>\n")));
    }

    private long firstWindow(long number) {
        return (number - 1) * (part / window) + 1;
    }

    /** A page of the public listing, for every caller. */
    private Uni<ListingResult> read(long page, int size) {
        return repository.listRevisions(
                new ListingQuery(
                        new ListRequest(QueryString.parse(null), page, size, Ordering.parse(null, Set.of())),
                        Expression.ALL, fields.none()),
                Caller.ANONYMOUS);
    }

    private static String urls(String pages, List<Revision> revisions) {
        StringBuilder urls = new StringBuilder();
        for (Revision revision : revisions) {
            urls.append("<url><loc>").append(pages).append(revision.id()).append("/</loc><lastmod>")
                    .append(revision.updatedAt().truncatedTo(ChronoUnit.SECONDS))
                    .append("</lastmod></url>\n");
        }
        return urls.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
