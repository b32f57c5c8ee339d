package io.datasetlisting.account;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

import io.quarkus.hibernate.reactive.panache.PanacheEntityBase;

/** Who owns datasets. */
@Entity
public class Account extends PanacheEntityBase {

    @Id
    public long id;

    /** Unique; may contain spaces. */
    public String username;

    protected Account() {
    }

    public Account(long id, String username) {
        this.id = id;
        this.username = username;
    }
}
