package io.datasetlisting.access.account;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A write, as JSON.
 *
 * @param user
 *            id of the account that wrote; null for the service itself
 * @param token
 *            id of the token that wrote; null without one
 * @param identity
 *            id of the subject of the provider of identities that wrote; null without one
 * @param action
 *            see {@link AuditAction}
 * @param ids
 *            of the written datasets, accounts, tokens or subjects; empty for an import; of a handover the account before and the
 *            one after
 * @param created
 *            number of datasets that an import has created so far, 0 for a handover; null for every other write
 * @param replaced
 *            number of datasets that an import has replaced so far, or that were handed over; null for every other write
 */
@RegisterForReflection
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record AuditEntry(long id, Instant at, Long user, Long token, Long identity, String action, List<Long> ids,
        Long created, Long replaced, String requestId) {
}
