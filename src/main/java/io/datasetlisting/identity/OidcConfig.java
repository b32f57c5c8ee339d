package io.datasetlisting.identity;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.datasetlisting.account.Right;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the provider of identities (OpenID Connect). Without an issuer the service accepts its own tokens only. */
@ConfigMapping(prefix = "dataset.oidc")
public interface OidcConfig {

    /** Address of the provider, exactly as its tokens name it. */
    Optional<URI> issuer();

    /** The client of the pages at the provider. Without it the pages offer no sign-in at the provider. */
    Optional<String> clientId();

    /** A token must be for one of these audiences. Without this key it must be for the client of the pages. */
    Optional<List<String>> audience();

    /** The clients whose tokens are accepted ({@code azp}). Without this key any client of the provider may get tokens. */
    Optional<Set<String>> clients();

    /** The claim with the name for a new account. */
    @WithDefault("preferred_username")
    String nameClaim();

    /** The claim that {@link #rights} reads: a text, or a list of texts. A slash leads into an object. */
    @WithDefault("realm_access/roles")
    String rightClaim();

    /** Values of {@link #rightClaim} with the right that each gives. The highest one counts. */
    Map<String, Right> rights();

    /** The right of a subject whose claim has none of {@link #rights}. With an empty value such a subject is refused. */
    @WithDefault("reader")
    Optional<Right> defaultRight();

    /** Whether a new subject gets an account at its first request. Otherwise an admin links each subject to an account. */
    @WithDefault("false")
    boolean createAccounts();

    /** What the pages ask the provider for. */
    @WithDefault("openid")
    List<String> scopes();

    /** By how much the clocks of the provider and of the service may differ. */
    @WithDefault("PT30S")
    Duration leeway();

    /** The audiences of which a token needs one. */
    default List<String> audiences() {
        return audience().orElseGet(() -> clientId().map(List::of).orElse(List.of()));
    }
}
