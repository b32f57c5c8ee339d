package io.datasetlisting.account;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;

import io.quarkus.hibernate.reactive.panache.PanacheEntityBase;

/** Who owns datasets. */
@Entity
public class Account extends PanacheEntityBase {

    /** An object, as to Hibernate an account without an id is a new one, and 0 is somebody's. */
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    /** Unique; may contain spaces. */
    public String username;

    /** Its own workspace, numbered by the database, where its datasets go unless they say otherwise. */
    @Column(insertable = false, updatable = false)
    public long workspace;

    protected Account() {
    }

    public Account(String username) {
        this.username = username;
    }
}
