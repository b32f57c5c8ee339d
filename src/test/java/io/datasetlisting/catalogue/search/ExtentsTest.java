package io.datasetlisting.catalogue.search;

import static io.datasetlisting.support.Catalogue.generated;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.List;
import java.util.function.Supplier;
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

    @Inject
    Catalogue catalogue;
    @Inject
    SearchRepository repository;

    @Test
    void theExtentsAreThoseOfSqlBeforeAndAfterAFold() throws Throwable {
        catalogue.replaceWith(generated(3_000));
        catalogue.fold();
        for (int i = 0; i < 10; i++) {
            for (Caller caller : CALLERS) {
                ListingExtents extents = await(() -> repository.extents(caller));
                assertNotNull(extents.areas().box());
                assertNotNull(extents.points().box());
                assertEquals(places(await(() -> repository.readExtents(caller))), places(extents));
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

    /** A fold between two reads changes only the listing version. */
    private static List<Object> places(ListingExtents of) {
        return Stream.of(of.areas(), of.points()).<Object>map(each -> List.of(each.box(), each.first(), each.last()))
                .toList();
    }

    private static <T> T await(Supplier<Uni<T>> work) throws Throwable {
        return VertxContextSupport.subscribeAndAwait(work);
    }
}
