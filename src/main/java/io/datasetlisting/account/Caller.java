package io.datasetlisting.account;

import io.vertx.ext.web.RoutingContext;

/**
 * Who sent a request.
 *
 * @param accountId
 *            null for somebody without a token
 * @param workspace
 *            the account's own
 * @param right
 *            null for somebody without a token
 * @param tokenId
 *            null for somebody without a token
 */
public record Caller(Long accountId, String username, Long workspace, Right right, Long tokenId) {

    public static final Caller ANONYMOUS = new Caller(null, null, null, null, null);

    private static final String KEY = Caller.class.getName();

    /** The caller whom {@link TokenAuthentication} found. */
    public static Caller of(RoutingContext context) {
        return context.get(KEY);
    }

    void on(RoutingContext context) {
        context.put(KEY, this);
    }

    public boolean isAnonymous() {
        return accountId == null;
    }

    public boolean isAdmin() {
        return right == Right.ADMIN;
    }

    public boolean mayWrite() {
        return right == Right.WRITER || isAdmin();
    }

    public boolean is(long otherAccountId) {
        return accountId != null && accountId == otherAccountId;
    }
}
