package io.datasetlisting.access.account;

import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.base.CallerContext;
import io.datasetlisting.postgres.database.DatabaseFailure;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * The account and the right of the client that sends a request. All components are null for an anonymous caller, which sends no
 * token.
 *
 * @param workspace
 *            number of the account's own workspace
 * @param tokenId
 *            null for a caller that is identified without a token of the service
 * @param workspaces
 *            numbers of the workspaces in which the caller may write; null for all
 * @param expires
 *            the end of the token; null if it has no end
 * @param identityId
 *            the subject of the provider of identities, also of a token that the subject has made; null without one
 */
public record Caller(Long accountId, String username, Long workspace, Right right, Long tokenId, List<Long> workspaces,
        Instant expires, Long identityId) {

    public static final Caller ANONYMOUS = new Caller(null, null, null, null, null);

    private static final String KEY = Caller.class.getName();
    private static final String CHECK = KEY + ".check";

    /** A caller without the limits of a token. */
    public Caller(Long accountId, String username, Long workspace, Right right, Long tokenId) {
        this(accountId, username, workspace, right, tokenId, null, null, null);
    }

    /** The caller of a token of a provider of identities. */
    public static Caller ofIdentity(long identityId, long accountId, String username, long workspace, Right right) {
        return new Caller(accountId, username, workspace, right, null, null, null, identityId);
    }

    /** The caller of a request, as its token, or the token of a provider of identities, has identified it. */
    public static Caller of(RoutingContext context) {
        return context.get(KEY);
    }

    /** Makes this the caller of a request, see {@link #of}. */
    public void storeIn(RoutingContext context) {
        context.put(KEY, this);
    }

    /**
     * Makes a caller with a token the caller of a request.
     *
     * @param checkAgain
     *            the caller as it is now; fails with 401 when the token is not valid any more
     */
    public void storeIn(RoutingContext context, Supplier<Uni<Caller>> checkAgain) {
        storeIn(context);
        context.put(CHECK, checkAgain);
    }

    /**
     * Fails with 401 if the token of a request that runs is not valid any more, or has less right than at its start: what has
     * been read for it may be more than the caller may see now. A request that takes long asks again and again: the answer
     * comes from caches. While the database is away, no token is revoked, and requests that run on a replica go on.
     */
    public static Uni<Void> checkAgain(RoutingContext context) {
        Supplier<Uni<Caller>> check = context.get(CHECK);
        Caller before = of(context);
        return check == null
                ? Uni.createFrom().voidItem()
                : Uni.createFrom().deferred(check::get).invoke(before::checkNotMore).replaceWithVoid()
                        .onFailure(DatabaseFailure::isTemporary)
                        .recoverWithNull().emitOn(CallerContext.now());
    }

    private void checkNotMore(Caller now) {
        if (now.right.compareTo(right) < 0 || !now.is(accountId)) {
            throw new ApiException(401, "The right of this caller has changed.");
        }
    }

    public boolean isAnonymous() {
        return accountId == null;
    }

    public boolean isAdmin() {
        return right == Right.ADMIN;
    }

    /** A name of what the caller may see: equal for callers that see the same datasets. */
    public String audience() {
        return isAdmin() ? "all" : String.valueOf(accountId);
    }

    /** Whether the caller may create datasets. An admin may also change the datasets of other accounts. */
    public boolean mayWrite() {
        return right == Right.WRITER || isAdmin();
    }

    /** Whether the caller may write datasets of a workspace, as far as they are its own or it is an admin. */
    public boolean mayWriteIn(long number) {
        return mayWrite() && (workspaces == null || workspaces.contains(number));
    }

    /**
     * Checks a workspace before each write.
     *
     * @throws ApiException
     *             403 if the caller may not write in it
     */
    public void checkWorkspace(long number) {
        if (!mayWrite()) {
            throw ApiException.forbidden();
        }
        if (!mayWriteIn(number)) {
            throw new ApiException(403, limit());
        }
    }

    /**
     * Checks a write that may concern any workspace.
     *
     * @throws ApiException
     *             403 if the caller may write in some workspaces only
     */
    public void checkAllWorkspaces() {
        if (workspaces != null) {
            throw new ApiException(403, limit());
        }
    }

    /** The sentence that names the workspaces in which the caller may write, of a caller that may not write in all. */
    String limit() {
        return "This token may write in these workspaces only: "
                + workspaces.stream().map(String::valueOf).collect(Collectors.joining(", ")) + '.';
    }

    /** Whether everything that a token with these limits may do, the caller may do, too. */
    boolean covers(Right other, List<Long> itsWorkspaces) {
        return other.compareTo(right) <= 0
                && (workspaces == null || itsWorkspaces != null && workspaces.containsAll(itsWorkspaces));
    }

    /** Whether the caller acts for this account. */
    public boolean is(long otherAccountId) {
        return accountId != null && accountId == otherAccountId;
    }
}
