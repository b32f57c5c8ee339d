package io.datasetlisting.access.account;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

import io.quarkus.hibernate.reactive.panache.PanacheEntityBase;

/** An account, which owns datasets and for which tokens act. */
@Entity
public class Account extends PanacheEntityBase {

    /** Null for a new account: Hibernate recognizes it by the missing id, and 0 is the id of the admin account. */
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    /** Unique; may contain spaces. */
    public String username;

    /** Number of the account's own workspace, assigned by the database. The default for the account's datasets. */
    @Column(insertable = false, updatable = false)
    public long workspace;

    /** Whether its tokens and subjects are refused. */
    public boolean disabled;

    protected Account() {
    }

    public Account(String username) {
        this.username = username;
    }
}
