package io.datasetlisting.access.account;

import java.time.Instant;
import java.util.List;

import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;

import io.quarkus.hibernate.reactive.panache.PanacheEntityBase;

/** A token of the API. A client that sends the token's key acts for the token's account. */
@Entity
@Table(name = "api_token")
public class ApiToken extends PanacheEntityBase {

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public long id;

    @ManyToOne(fetch = FetchType.EAGER)
    @JoinColumn(name = "account_id")
    public Account account;

    public String name;

    @Column(name = "access_right")
    @Convert(converter = RightConverter.class)
    public Right right;

    /** Numbers of the workspaces in which the token may write; null for all. */
    public Long[] workspaces;

    /** The subject of the provider of identities that made the token for its account; null without one. */
    @Column(name = "identity_id")
    public Long identityId;

    /** The SHA-256 of the key. The key itself is not stored. */
    @Column(name = "key_hash")
    public byte[] keyHash;

    /** Null for a token that does not expire. */
    public Instant expires;

    /** Accurate to a minute; null before the first use. */
    @Column(name = "last_used")
    public Instant lastUsed;

    public boolean revoked;

    List<Long> workspaceList() {
        return workspaces == null ? null : List.of(workspaces);
    }
}
