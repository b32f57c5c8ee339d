package io.datasetlisting.dataset;

import io.datasetlisting.postgres.database.Sql;

/** Disjoint sets of datasets, which have indexes of their own, and the set of all. */
public enum Visibility {

    PUBLIC("not is_deleted and not is_private and coordinates is not null"),
    /** Of every account. */
    PRIVATE("not is_deleted and is_private and coordinates is not null"),
    /** With drafts and deleted datasets. */
    ALL("true");

    private final Sql condition;

    Visibility(String condition) {
        this.condition = Sql.of(condition);
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
