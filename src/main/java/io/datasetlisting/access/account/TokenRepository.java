package io.datasetlisting.access.account;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import jakarta.enterprise.context.ApplicationScoped;

import org.hibernate.reactive.mutiny.Mutiny;

import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.postgres.database.Connections;
import io.quarkus.hibernate.reactive.panache.Panache;
import io.smallrye.mutiny.Uni;

/** Creates, lists and revokes the tokens of accounts. */
@ApplicationScoped
class TokenRepository {

    /**
     * Two creates for one account run one after the other, so that each counts the token of the other. -1: the account is
     * disabled.
     */
    private static final String LOCK_ACCOUNT = """
            select case when disabled then -1 else id end from account where id = :account for no key update""";

    /** The cache may still have a token or a subject that another instance has refused. It makes no token that stays. */
    private static final String IS_REFUSED = """
            select exists (select from api_token where id = :token and revoked)
                or exists (select from account_identity where id = :identity and (blocked or account_id <> :account))""";

    private static final String COUNT_VALID = """
            select count(*) from api_token
            where account_id = :account and not revoked and (expires is null or expires > :now)""";

    /**
     * Deletes the oldest tokens that are not valid any more, so that their number has a bound. The configured token stays: a
     * start would otherwise make it valid again.
     */
    private static final String FORGET_INVALID = """
            with forgotten as (
                delete from api_token where id in (
                    select id from api_token
                    where account_id = :account and (revoked or expires <= :now)
                        and not (account_id = 0 and name = :configured)
                    order by id desc offset :kept)
                returning 1)
            select count(*) from forgotten""";

    private final StoredTokenRepository stored;
    private final int maxTokens;

    TokenRepository(StoredTokenRepository stored, TokenConfig config) {
        this.stored = stored;
        maxTokens = config.maxTokensPerAccount();
    }

    /**
     * Stores a new token. Fails with an {@link ApiException}: 400 if the account has as many valid tokens as it may have, 401 if
     * the author's token has just been revoked.
     */
    Uni<ApiToken> create(ApiToken token, Author author, Instant now) {
        return Connections.inSessionTransaction(() -> Panache.getSession()
                .chain(session -> checkNotRefused(session, author.caller())
                        .chain(() -> one(session, LOCK_ACCOUNT, token, Map.of())
                                .invoke(TokenRepository::checkNotDisabled))
                        .chain(() -> one(session, COUNT_VALID, token, Map.of("now", now)))
                        .invoke(this::checkNumber)
                        .chain(() -> one(session, FORGET_INVALID, token,
                                Map.of("now", now, "configured", AdminTokenRepository.NAME, "kept", maxTokens))))
                .chain(() -> {
                    // A try that failed may have set it.
                    token.id = 0;
                    return token.<ApiToken>persistAndFlush();
                }).call(added -> add(author, AuditAction.CREATE_TOKEN, added.id)));
    }

    private static Uni<Void> checkNotRefused(Mutiny.Session session, Caller caller) {
        return session.createNativeQuery(IS_REFUSED, Boolean.class).setParameter("token", id(caller.tokenId()))
                .setParameter("identity", id(caller.identityId())).setParameter("account", id(caller.accountId()))
                .getSingleResult().invoke(isRefused -> {
                    if (isRefused) {
                        throw new ApiException(401, TokenAuthentication.INVALID);
                    }
                }).replaceWithVoid();
    }

    /** No row has the id -1. */
    private static long id(Long id) {
        return id == null ? -1 : id;
    }

    private static Uni<Void> add(Author author, AuditAction action, long id) {
        return Panache.getSession().chain(session -> AuditRepository.add(session, author, action, id));
    }

    private static Uni<Long> one(Mutiny.Session session, String sql, ApiToken token, Map<String, Object> values) {
        Mutiny.SelectionQuery<Long> query = session.createNativeQuery(sql, Long.class)
                .setParameter("account", token.account.id);
        values.forEach(query::setParameter);
        return query.getSingleResult();
    }

    private static void checkNotDisabled(long account) {
        if (account < 0) {
            throw DrfFields.invalid("user", "This account is disabled.");
        }
    }

    private void checkNumber(long valid) {
        if (valid >= maxTokens) {
            throw DrfFields.invalid("non_field_errors",
                    "This account has " + valid + " valid tokens, and may not have more. Revoke one of them first.");
        }
    }

    /**
     * A page of tokens, ordered by id.
     *
     * @param account
     *            id of the account whose tokens it contains; null for all
     * @param page
     *            number of the page, from 0
     */
    Uni<List<ApiToken>> list(Long account, int page, int pageSize) {
        return Connections.inSession(() -> (account == null
                ? ApiToken.<ApiToken>find("from ApiToken t join fetch t.account order by t.id")
                : ApiToken.<ApiToken>find("from ApiToken t join fetch t.account a where a.id = ?1 order by t.id",
                        account))
                .page(page, pageSize).list());
    }

    /** @param account id of the account whose tokens count; null for all */
    Uni<Long> count(Long account) {
        return Connections.inSession(() -> account == null ? ApiToken.count() : ApiToken.count("account.id", account));
    }

    /** The token with this id, or null. */
    Uni<ApiToken> find(long id) {
        return Connections.inSession(() -> ApiToken.findById(id));
    }

    /**
     * Revokes a token permanently.
     *
     * @param check
     *            receives the token, or null if no token has this id; an exception leaves the token as it is
     */
    Uni<Void> revoke(long id, Author author, Consumer<ApiToken> check) {
        return Connections.inSessionTransaction(() -> ApiToken.<ApiToken>findById(id).invoke(check).call(token -> {
            boolean isNew = !token.revoked;
            token.revoked = true;
            return isNew ? add(author, AuditAction.REVOKE_TOKEN, id) : Uni.createFrom().voidItem();
        })).call(token -> stored.invalidate(token.keyHash)).replaceWithVoid();
    }
}
