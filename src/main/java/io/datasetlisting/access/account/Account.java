package io.datasetlisting.access.account;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

import io.quarkus.hibernate.reactive.panache.PanacheEntityBase;

/** An account, which owns datasets and for which tokens act. */
@Entity
public class Account extends PanacheEntityBase {

    @Id
    public Long id;

    /** Unique; may contain spaces. */
    public String username;

    /** Number of the account's own workspace, assigned by the database. The default for the account's datasets. */
    @Column(insertable = false, updatable = false)
    public long workspace;

    /** Whether its tokens and subjects are refused. */
    public boolean disabled;

    static Account of(long id, String username, long workspace) {
        Account account = new Account();
        account.id = id;
        account.username = username;
        account.workspace = workspace;
        return account;
    }
}
