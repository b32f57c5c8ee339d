package io.datasetlisting.write.change;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.access.account.Right;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.paging.ChangeCursor;
import io.datasetlisting.support.Catalogue;
import io.quarkus.test.junit.QuarkusTest;

/** Tests that a page of the feed costs as much as its changes, and not as much as the catalogue. */
@QuarkusTest
class ChangePagePlanTest {

    @Inject
    Catalogue catalogue;
    @Inject
    ChangeRepository repository;

    @Test
    void aPageReadsItsDatasetsByTheirIds() {
        catalogue.replaceWith(Catalogue.plain(4000));
        catalogue.fold();
        for (Right right : Right.values()) {
            assertReadsByIds(new Caller(Catalogue.OWNER.id(), Catalogue.OWNER.username(), 70L, right, 1L));
        }
        assertReadsByIds(Caller.ANONYMOUS);
    }

    private void assertReadsByIds(Caller caller) {
        String plan = catalogue.explain(repository.page(
                new ChangeQuery(Expression.ALL, caller, null, ChangeCursor.START, 10, 0, null, ""), Expression.ALL));
        List<String> lines = plan.lines().toList();
        List<Integer> scans = IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).matches(".*(Scan|Seq).* on dataset( .*)?")).boxed().toList();
        assertFalse(scans.isEmpty(), plan);
        scans.forEach(i -> assertTrue(lines.get(i + 1).matches(" *Index Cond: .*\\bid = changed\\.id\\).*"), plan));
    }
}
