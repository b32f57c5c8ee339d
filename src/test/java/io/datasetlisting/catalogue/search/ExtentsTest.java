package io.datasetlisting.catalogue.search;

import static io.datasetlisting.support.Catalogue.generated;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.VertxContextSupport;
import io.smallrye.mutiny.Uni;

/** Tests the extents of the columns against the ones of SQL. */
@QuarkusTest
class ExtentsTest {

    private static final List<Caller> CALLERS = List.of(Caller.ANONYMOUS,
            new Caller(Catalogue.OWNER.id(), Catalogue.OWNER.username(), 1L, Right.WRITER, 1L),
            new Caller(0L, "admin", 1L, Right.ADMIN, 1L));

    private static final String AREA = "((footprint[0])[0] > (footprint[1])[0] and (footprint[0])[1] > (footprint[1])[1])";

    @Inject
    Catalogue catalogue;
    @Inject
    CollectionExtents extents;

    @Test
    void theExtentsAreThoseOfSqlBeforeAndAfterAFold() throws Throwable {
        catalogue.writeAnew(generated(3_000));
        divideIntoWorkspaces();
        catalogue.fold();
        for (int i = 0; i < 10; i++) {
            for (Caller caller : CALLERS) {
                ListingExtents all = await(() -> extents.of(caller));
                assertNotNull(all.areas().box());
                assertNotNull(all.points().box());
                assertEquals(expected(caller), places(all));
                Workspaces workspaces = await(() -> extents.ofWorkspaces(caller));
                assertTrue(workspaces.size() > 10);
                assertEquals(expectedWorkspaces(caller), places(workspaces));
            }
            // Removes datasets at the edges. Some are pending at the next comparison.
            catalogue.sql("""
                    update dataset set is_private = not is_private where id in (
                        (select id from dataset where not is_private order by captured_date limit 3)
                        union (select id from dataset where not is_private order by captured_date desc limit 3)
                        union (select id from dataset where not is_private order by coordinates[1] limit 3)
                        union (select id from dataset where not is_private order by coordinates[2] desc limit 3))""");
        }
    }

    /** Some of each kind of number, and one without public datasets. */
    private void divideIntoWorkspaces() {
        catalogue.sql("""
                update dataset set workspace = case id % 17 when 0 then 3000000000 + id % 2 when 1 then 40000
                    else id % 17 end;
                update dataset set is_private = true where id % 17 = 2""");
    }

    private List<Object> expectedWorkspaces(Caller caller) {
        return catalogue.sql("""
                select workspace, count(*), min((footprint[1])[0]), min((footprint[1])[1]), max((footprint[0])[0]),
                       max((footprint[0])[1]), min(captured_date), max(captured_date)
                from dataset
                where not is_deleted and coordinates is not null and (not is_private or owner_id = %s or %s)
                group by workspace having bool_or(not is_private) order by workspace"""
                .formatted(caller.accountId(), caller.isAdmin()))
                .stream().<Object>map(row -> List.of(row.getLong(0), row.getLong(1),
                        List.of(row.getDouble(2), row.getDouble(3), row.getDouble(4), row.getDouble(5)),
                        row.getOffsetDateTime(6).toInstant(), row.getOffsetDateTime(7).toInstant()))
                .toList();
    }

    private static List<Object> places(Workspaces of) {
        return IntStream.range(0, of.size()).<Object>mapToObj(place -> {
            ListingExtent extent = of.extent(place);
            assertEquals(place, of.find(of.number(place)));
            return List.of(of.number(place), extent.count(), extent.box(), extent.first(), extent.last());
        }).toList();
    }

    /** Areas, then points. */
    private List<Object> expected(Caller caller) {
        return catalogue.sql("""
                select min((footprint[1])[0]), min((footprint[1])[1]), max((footprint[0])[0]), max((footprint[0])[1]),
                       min(captured_date), max(captured_date)
                from dataset
                where not is_deleted and coordinates is not null and (not is_private or owner_id = %1$s or %2$s)
                group by %3$s order by %3$s desc"""
                .formatted(caller.accountId(), caller.isAdmin(), AREA))
                .stream().<Object>map(row -> List.of(
                        List.of(row.getDouble(0), row.getDouble(1), row.getDouble(2), row.getDouble(3)),
                        row.getOffsetDateTime(4).toInstant(), row.getOffsetDateTime(5).toInstant()))
                .toList();
    }

    private static List<Object> places(ListingExtents of) {
        return Stream.of(of.areas(), of.points()).<Object>map(each -> List.of(each.box(), each.first(), each.last()))
                .toList();
    }

    private static <T> T await(Supplier<Uni<T>> work) throws Throwable {
        return VertxContextSupport.subscribeAndAwait(work);
    }
}
