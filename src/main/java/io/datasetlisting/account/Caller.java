package io.datasetlisting.account;

import io.vertx.ext.web.RoutingContext;

/**
 * The account and the right of the client that sends a request. All components are null for an anonymous caller, which sends no
 * token.
 *
 * @param workspace
 *            number of the account's own workspace
 */
public record Caller(Long accountId, String username, Long workspace, Right right, Long tokenId) {

    public static final Caller ANONYMOUS = new Caller(null, null, null, null, null);

    private static final String KEY = Caller.class.getName();

    /** The caller of a request, as {@link TokenAuthentication} has identified it. */
    public static Caller of(RoutingContext context) {
        return context.get(KEY);
    }

    /** Makes this the caller of a request, see {@link #of}. */
    public void storeIn(RoutingContext context) {
        context.put(KEY, this);
    }

    public boolean isAnonymous() {
        return accountId == null;
    }

    public boolean isAdmin() {
        return right == Right.ADMIN;
    }

    /** Whether the caller may create datasets. An admin may also change the datasets of other accounts. */
    public boolean mayWrite() {
        return right == Right.WRITER || isAdmin();
    }

    /** Whether the caller acts for this account. */
    public boolean is(long otherAccountId) {
        return accountId != null && accountId == otherAccountId;
    }
}
