package io.datasetlisting.catalogue.listing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import io.datasetlisting.access.account.AccountRepository.Owner;
import io.datasetlisting.access.account.Caller;
import io.datasetlisting.dataset.DatasetFields;
import io.datasetlisting.dataset.DatasetView;
import io.datasetlisting.dataset.DeletedConfig;
import io.datasetlisting.dataset.FieldSelection;
import io.datasetlisting.dataset.Visibility;
import io.datasetlisting.dataset.storage.ThumbnailLinks;
import io.datasetlisting.http.paging.ListRequest;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.postgres.replica.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;

/** Reads the drafts and the deleted datasets of one owner. */
@Singleton
class UnlistedRepository {

    /** Count and page of one snapshot. A page without datasets is one row with the count. */
    private static final String PAGE = """
            select total.count, page.* from (select count(*) from dataset where {matches}) total
            left join lateral (
                select d.updated_at as changed{columns} from dataset d where {matches}
                order by d.updated_at desc, d.id desc
                limit {size} offset coalesce({offset}, greatest(total.count - 1, 0) / {size} * {size})) page on true""";

    private static final String OWNED = """
            owner_id = (select id from account where username = {name} or id = {id} order by username = {name} desc limit 1)""";

    /** Of a deleted dataset, only a new name or owner of its account is a later change than the deletion. */
    private static final String RESTORABLE = "updated_at >= now() - make_interval(secs => ";

    private final Reads reads;
    private final ThumbnailLinks links;
    private final FieldSelection fields;
    private final Duration keep;

    UnlistedRepository(Reads reads, ThumbnailLinks links, DatasetFields fields, DeletedConfig config) {
        this.reads = reads;
        this.links = links;
        this.fields = fields.listed();
        keep = config.keep();
    }

    /** A dataset with the time of its last change. */
    record Found(Instant changed, DatasetView dataset) {
    }

    /**
     * A page of datasets.
     *
     * @param count
     *            of the datasets on all pages
     */
    record Page(long count, List<Found> datasets) {
    }

    /**
     * A page of the datasets of an owner, the last change first. Deleted datasets are those that can be restored.
     *
     * @param kind
     *            drafts or deleted datasets
     * @param owner
     *            the account with this name, or else with this id; null for the caller
     */
    Uni<Page> list(Visibility kind, Owner owner, ListRequest request, Caller caller) {
        ThumbnailLinks.Signer signer = links.signer();
        return ListingRepository
                .read(reads, caller, from -> from.searches().execute(page(kind, owner, request, caller)))
                .map(rows -> new Page(rows.iterator().next().getLong(0), StreamSupport.stream(rows.spliterator(), false)
                        .filter(row -> row.getOffsetDateTime(1) != null).map(row -> found(row, signer)).toList()));
    }

    Sql page(Visibility kind, Owner owner, ListRequest request, Caller caller) {
        Sql restorable = Sql.value((double) keep.toSeconds()).in(RESTORABLE, ")");
        Sql matches = (kind == Visibility.DELETED ? kind.condition().and(restorable) : kind.condition())
                .and(owner == null
                        ? Sql.value(caller.accountId()).in("owner_id = ", "")
                        : Sql.of(OWNED, Map.of("name", Sql.value(owner.username()), "id", Sql.value(owner.id()))));
        return Sql.of(PAGE, Map.of("matches", matches, "columns", Sql.of(fields.selectList()),
                "size", Sql.value((long) request.pageSize()), "offset", Sql.value(request.offset())));
    }

    private Found found(Row row, ThumbnailLinks.Signer signer) {
        return new Found(row.getOffsetDateTime(1).toInstant(), fields.read(row, signer::link));
    }
}
