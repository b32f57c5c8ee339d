package io.datasetlisting.write.change;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.dataset.cql2.Expression;
import io.datasetlisting.http.paging.ChangeCursor;
import io.datasetlisting.http.paging.ChangeCursors;

/**
 * A request for changes.
 *
 * @param filter
 *            what the client keeps a copy of
 * @param block
 *            the number of the only block that is read; null for all
 * @param limit
 *            the most changes of a page
 * @param seconds
 *            for which the client waits if there are no changes
 * @param scope
 *            the tokens of the request
 * @param identity
 *            equal for requests whose pages from equal positions are equal
 */
public record ChangeQuery(Expression filter, Caller caller, Long block, ChangeCursor from, int limit, int seconds,
        ChangeCursors.Scope scope, String identity) {

    ChangeQuery from(ChangeCursor position) {
        return new ChangeQuery(filter, caller, block, position, limit, seconds, scope, identity);
    }

    ChangeQuery waiting(int other) {
        return new ChangeQuery(filter, caller, block, from, limit, other, scope, identity);
    }

    ChangeQuery withLimit(int changes) {
        return new ChangeQuery(filter, caller, block, from, Math.min(limit, changes), seconds, scope, identity);
    }

    /** Requests with equal keys receive the same page. */
    record Key(String identity, ChangeCursor from, int limit) {
    }

    Key key() {
        return new Key(identity, from.withSeen(0), limit);
    }
}
