package io.datasetlisting.faces.web;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.http.Language;
import io.vertx.ext.web.RoutingContext;

/** The person who reads a page. */
record Reader(Caller caller, Language language) {

    static Reader of(RoutingContext context) {
        return new Reader(Caller.of(context), Language.of(context));
    }

    /** Whether the reader may have datasets of its own. */
    boolean isSignedIn() {
        return !caller.isAnonymous();
    }
}
