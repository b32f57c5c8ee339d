/**
 * What a caller is and may do: accounts, tokens, providers of identities, the audit. It may use {@code http} and all folders
 * below that one. Rooms, highest first: identity, account.
 */
package io.datasetlisting.access;
