package io.datasetlisting.dataset;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

import io.datasetlisting.access.account.Caller;
import io.datasetlisting.base.ApiException;
import io.datasetlisting.http.input.DrfFields;
import io.datasetlisting.http.input.QueryString;
import io.datasetlisting.postgres.database.Sql;

/** Disjoint sets of datasets, which have indexes of their own, and the set of all. */
public enum Visibility {

    PUBLIC("not is_deleted and not is_private and coordinates is not null"),
    /** Of every account. */
    PRIVATE("not is_deleted and is_private and coordinates is not null"),
    /** Without a location, of every account. */
    DRAFTS("not is_deleted and coordinates is null"),
    /** Of every account. */
    DELETED("is_deleted"),
    /** With drafts and deleted datasets. */
    ALL("true");

    private static final Map<String, Visibility> UNLISTED = Map.of("drafts", DRAFTS, "deleted", DELETED);

    private final Sql condition;

    Visibility(String condition) {
        this.condition = Sql.of(condition);
    }

    /**
     * The sets that an admin adds to a listing by {@code include=drafts,deleted}; none without this parameter.
     *
     * @throws ApiException
     *             400 for another value, 401 without a token, 403 if the caller is no admin
     */
    public static Set<Visibility> included(QueryString query, Caller caller) {
        Set<Visibility> included = EnumSet.noneOf(Visibility.class);
        for (String value : query.getAll("include")) {
            for (String name : value.split(",")) {
                if (UNLISTED.containsKey(name)) {
                    included.add(UNLISTED.get(name));
                } else if (!value.isEmpty()) {
                    throw DrfFields.invalid("include", DrfFields.notAChoice(name));
                }
            }
        }
        if (!included.isEmpty() && !caller.isAdmin()) {
            throw caller.isAnonymous()
                    ? ApiException.unauthenticated()
                    : new ApiException(403, "Only admins may include drafts and deleted datasets of all accounts.");
        }
        return included;
    }

    /**
     * The same text as in the conditions of the partial indexes. Only then PostgreSQL reads ids and counts from an index alone.
     */
    public Sql condition() {
        return condition;
    }

    /** The condition of the datasets of one owner. */
    public Sql ownedBy(Sql accountId) {
        return condition.and(accountId.in("owner_id = ", ""));
    }
}
