package io.datasetlisting.faces.view;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.http.Language;
import io.vertx.ext.web.RoutingContext;

/** The person who reads a page. */
public record Reader(Caller caller, Language language) {

    public static Reader of(RoutingContext context) {
        return new Reader(Caller.of(context), Language.of(context));
    }

    /** Whether the reader may have datasets of its own. */
    public boolean isSignedIn() {
        return !caller.isAnonymous();
    }
}
