package io.datasetlisting.catalogue.facet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import jakarta.enterprise.context.ApplicationScoped;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.catalogue.column.LongCounts;
import io.datasetlisting.catalogue.facet.Facets.Choice;
import io.datasetlisting.catalogue.index.ColumnRepository;
import io.datasetlisting.catalogue.index.SnapshotQuery;
import io.datasetlisting.catalogue.listing.ListingQuery;
import io.datasetlisting.catalogue.listing.ListingRepository;
import io.datasetlisting.catalogue.listing.ListingResult;
import io.datasetlisting.catalogue.snapshot.SnapshotRequest;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.database.StatementRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads how many datasets each choice of a filter would find, and how many were captured when. */
@ApplicationScoped
public class FacetRepository {

    private static final int MAX_USERS = 20;

    private static final String USERS = """
            select id, username, datasets from unnest({ids}::bigint[], {datasets}::bigint[]) as owner (id, datasets)
            join account using (id) order by datasets desc, username collate "und-x-icu" limit\s""" + MAX_USERS;

    /** The columns do not count the labels for which no bit is left, nor new labels of pending changes. */
    private static final String OTHER_BANDS = """
            select label, count(*) as datasets from dataset
            cross join lateral (select distinct unnest(band_labels(band_stats)) as label) band
            where id = any ($1) and not exists (select from band_mark known where known.label = band.label)
            group by label""";

    private final ColumnRepository columns;
    private final ListingRepository listing;

    FacetRepository(ColumnRepository columns, ListingRepository listing) {
        this.columns = columns;
        this.listing = listing;
    }

    /**
     * A page of the listing, and the counts beside it.
     *
     * @param facets
     *            null if nothing is counted
     */
    public record CountedPage(ListingResult page, Facets facets) {
    }

    /**
     * A page that the caller sees with all counts, of one snapshot. Nothing is counted if the columns need more memory than
     * they may take, or lack too many changes.
     *
     * @param shown
     *            the fields of its datasets that are read besides their revisions
     */
    public Uni<CountedPage> list(ListingQuery query, FieldSelection shown, Caller caller) {
        FacetQuery counts = FacetQuery.ofAll(query.filter());
        return columns
                .read(listing.inSnapshot(query, shown, caller).query()
                        .and(new SnapshotQuery<>(request(counts, caller),
                                snapshot -> new FacetCounter(counts).count(snapshot), FacetRepository::complete),
                                CountedPage::new))
                .onItem().ifNull().switchTo(() -> listing.withoutColumns(query, shown, caller)
                        .map(page -> new CountedPage(page, null)));
    }

    /** The counts of the datasets that the caller sees in a listing. */
    Uni<Facets> read(FacetQuery query, Caller caller) {
        return columns.count(request(query, caller), () -> new FacetCounter(query), FacetRepository::complete);
    }

    private static SnapshotRequest request(FacetQuery query, Caller caller) {
        return new SnapshotRequest(caller, query.distinctFilters(), query.columns(), query,
                query.filter().equals(Expression.ALL));
    }

    private static Uni<Facets> complete(StatementRunner statements, FacetCounter.Counted counted) {
        return addBands(statements, counted).chain(() -> addUsers(statements, counted));
    }

    Uni<Histogram> read(HistogramQuery query, Caller caller) {
        return columns.count(SnapshotRequest.of(caller, query.filter(), Histogram.COLUMNS, query),
                () -> new Histogram.Counter(query));
    }

    private static Uni<Void> addBands(StatementRunner statements, FacetCounter.Counted counted) {
        return otherBands(statements, counted.others()).invoke(labels -> {
            if (!labels.isEmpty()) {
                List<Choice> bands = new ArrayList<>(counted.facets().choices().get(Facet.BAND));
                labels.forEach((label, count) -> bands.add(new Choice(label, count)));
                bands.sort(FacetCounter.BY_COUNT);
                counted.facets().choices().put(Facet.BAND, bands);
            }
        }).replaceWithVoid();
    }

    /** How many of these datasets have each of the labels for which no column has a bit. */
    public static Uni<Map<String, Long>> otherBands(StatementRunner statements, Long[] ids) {
        Map<String, Long> labels = new HashMap<>();
        return ids.length == 0
                ? Uni.createFrom().item(labels)
                : statements.execute(OTHER_BANDS, Tuple.of(ids)).map(rows -> {
                    rows.forEach(row -> labels.put(row.getString("label"), row.getLong("datasets")));
                    return labels;
                });
    }

    private static Uni<Facets> addUsers(StatementRunner statements, FacetCounter.Counted counted) {
        Map<Facet, List<Choice>> choices = counted.facets().choices();
        if (counted.owners() == null) {
            return Uni.createFrom().item(counted.facets());
        }
        return statements.execute(largest(counted.owners())).map(rows -> {
            List<Choice> users = new ArrayList<>();
            rows.forEach(row -> users
                    .add(new Choice(row.getString("username"), row.getLong("id"), row.getLong("datasets"))));
            choices.put(Facet.USER, users);
            return counted.facets();
        });
    }

    /** Reads the owners that may be among the largest: of owners with equal counts, the names decide. */
    private static Sql largest(LongCounts owners) {
        LongStream.Builder all = LongStream.builder();
        owners.forEach((owner, count) -> all.add(count));
        long[] counts = all.build().sorted().toArray();
        long least = counts.length > MAX_USERS ? counts[counts.length - MAX_USERS] : 0;
        List<Long> ids = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        owners.forEach((owner, count) -> {
            if (count >= least) {
                ids.add(owner);
                numbers.add((long) count);
            }
        });
        return Sql.of(USERS, Map.of("ids", Sql.value(ids.toArray(Long[]::new)), "datasets",
                Sql.value(numbers.toArray(Long[]::new)))).plannedOnce();
    }
}
