package io.datasetlisting.catalogue.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.catalogue.listing.ListingRepository;
import io.datasetlisting.dataset.Views;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.paging.Ordering;
import io.datasetlisting.postgres.database.Sql;
import io.datasetlisting.support.Catalogue;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Compares pages that are read by rank with pages of plain SQL in the same snapshot. */
public final class RankComparison {

    public static final Caller OWNER = new Caller(Catalogue.OWNER.id(), Catalogue.OWNER.username(), 70L, Right.READER,
            1L);

    /** Every order that has a rank, ascending and descending. */
    static final List<Ordering> ORDERINGS = Views.ranked().stream()
            .flatMap(field -> Stream.of(field, "-" + field))
            .map(text -> Ordering.parse(text, Views.FIELDS.sortable())).toList();

    /** The offset of a page number with the maximum number of digits. */
    private static final long FAR_BEHIND = 99_999_999_999_999_800L;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Pool pool;
    private final long seed;
    private final Random random;

    public RankComparison(Pool pool, long seed) {
        this.pool = pool;
        this.seed = seed;
        random = new Random(seed);
    }

    /** The count and the ids of a page. */
    private record Page(long count, List<Long> ids) {
    }

    /** Compares some pages of each ordering, for an anonymous caller and for an owner. Returns the number of pages. */
    int all(int pagesEach) {
        return all(pagesEach, () -> false);
    }

    /** Compares some pages of some orderings. */
    public int some(int orderings, int pagesEach) {
        int[] left = {2 * orderings};
        return all(pagesEach, () -> left[0]-- <= 0);
    }

    /** Compares some pages of each ordering until {@code over} is true. */
    int all(int pagesEach, BooleanSupplier over) {
        List<Ordering> orderings = new ArrayList<>(ORDERINGS);
        Collections.shuffle(orderings, random);
        int pages = 0;
        for (Ordering ordering : orderings) {
            for (Caller caller : List.of(Caller.ANONYMOUS, OWNER)) {
                pages += over.getAsBoolean() ? 0 : inOneSnapshot(ordering, caller, pagesEach);
            }
        }
        return pages;
    }

    /**
     * Compares some pages in one snapshot: the first one with {@code limit} and {@code offset}, the others with parts
     * of the whole list.
     */
    int inOneSnapshot(Ordering ordering, Caller caller, int pages) {
        SqlConnection connection = await(pool.getConnection());
        try {
            await(connection.query("begin isolation level repeatable read, read only").execute());
            compare(connection, ordering, caller, pages);
            return pages;
        } finally {
            await(connection.query("rollback").execute());
            await(connection.close());
        }
    }

    private void compare(SqlConnection connection, Ordering ordering, Caller caller, int pages) {
        String visible = visible(caller);
        String listed = listed(ordering, visible);
        long count = single(connection, "select count(*) from dataset where " + visible).getLong(0);
        List<Long> all = List.of(single(connection, "select array(%s)".formatted(listed)).getArrayOfLongs(0));
        Long[] sizes = new Long[pages];
        Long[] offsets = new Long[pages];
        List<Page> expected = new ArrayList<>();
        for (int page = 0; page < pages; page++) {
            int size = 1 + random.nextInt(100);
            Long offset = offset(all.size(), size);
            long start = offset == null ? Math.max(count - 1, 0) / size * size : offset;
            sizes[page] = (long) size;
            offsets[page] = offset;
            expected.add(new Page(count, page == 0
                    ? List.of(single(connection, "select array(%s limit %d offset %d)".formatted(listed, size,
                            start)).getArrayOfLongs(0))
                    : all.subList((int) Math.min(start, all.size()), (int) Math.min(start + size, all.size()))));
        }
        RankedPageSql.Ranked listing = ListingRepository.ranked(Expression.ALL, ordering, caller, Views.FIELDS)
                .orElseThrow();
        assertEquals(expected, caller.isAnonymous()
                ? revisions(connection, listing, sizes, offsets)
                : datasets(connection, listing, sizes, offsets),
                () -> "seed %d: by %s for %s, offsets %s, %s a page".formatted(seed, ordering, caller,
                        Arrays.toString(offsets), Arrays.toString(sizes)));
    }

    /** Each page by a statement of its own. */
    private static List<Page> datasets(SqlConnection connection, RankedPageSql.Ranked listing, Long[] sizes,
            Long[] offsets) {
        List<Page> pages = new ArrayList<>();
        for (int page = 0; page < sizes.length; page++) {
            Sql.Statement sql = RankedPageSql.datasets(listing, "", sizes[page], offsets[page]).statement();
            List<Row> rows = new ArrayList<>();
            await(connection.preparedQuery(sql.text()).execute(Tuple.from(sql.values()))).forEach(rows::add);
            pages.add(new Page(rows.get(0).getLong("count"),
                    rows.stream().map(row -> row.getLong("id")).filter(Objects::nonNull).toList()));
        }
        return pages;
    }

    /** All pages by one statement. */
    private static List<Page> revisions(SqlConnection connection, RankedPageSql.Ranked listing, Long[] sizes,
            Long[] offsets) {
        Page[] pages = new Page[sizes.length];
        for (Row row : await(connection.preparedQuery(RankedPageSql.revisions(listing))
                .execute(Tuple.of(sizes, offsets)))) {
            Long[] ids = row.getArrayOfLongs("ids");
            List<Long> page = ids == null ? List.of() : Arrays.asList(ids);
            if (listing.descending()) {
                Collections.reverse(page);
            }
            pages[row.getLong("number").intValue() - 1] = new Page(row.getLong("count"), page);
        }
        return Arrays.asList(pages);
    }

    private static String listed(Ordering ordering, String visible) {
        Ordering.Key key = ordering.keys().get(0);
        String direction = key.descending() ? " desc" : "";
        return "select id from dataset where %s order by %s%s, id%s".formatted(visible,
                Views.FIELDS.get(key.field()).sortColumn(), direction, direction);
    }

    private static String visible(Caller caller) {
        return "not is_deleted and coordinates is not null and "
                + (caller.isAnonymous()
                        ? "not is_private"
                        : "(not is_private or owner_id = " + caller.accountId() + ")");
    }

    /**
     * The offset of the first page, the last page, a page behind the last page, or any other page; null selects the
     * last page.
     */
    private Long offset(int count, int size) {
        long pages = Math.max(1, (count + size - 1) / size);
        return switch (random.nextInt(12)) {
            case 0 -> 0L;
            case 1 -> null;
            case 2 -> (pages - 1) * size;
            case 3 -> pages * size;
            case 4 -> random.nextBoolean() ? (pages + 1) * size : FAR_BEHIND;
            default -> (long) random.nextInt((int) pages) * size;
        };
    }

    private static Row single(SqlConnection connection, String sql) {
        return await(connection.query(sql).execute()).iterator().next();
    }

    private static <T> T await(Uni<T> work) {
        return work.await().atMost(PATIENCE);
    }
}
