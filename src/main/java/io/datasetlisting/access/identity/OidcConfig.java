package io.datasetlisting.access.identity;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.datasetlisting.access.account.Right;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the provider of identities (OpenID Connect). Without an issuer the service accepts its own tokens only. */
@ConfigMapping(prefix = "dataset.oidc")
public interface OidcConfig {

    /** The address of metadata in the OpenAPI documents, in whose place the documents have {@link #discovery}. */
    String EXAMPLE = "https://provider.example.org/.well-known/openid-configuration";

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

    /** The claim with the values of {@link #rights}: a text, or a list of texts. A slash leads into an object. */
    @WithDefault("realm_access/roles")
    String rightClaim();

    /** The values of {@link #rightClaim} that give each right. The highest right counts. */
    Rights rights();

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

    /** Time after which the keys of the provider are read again, so that a withdrawn key is not trusted any longer. */
    @WithDefault("PT5M")
    Duration keysMaxAge();

    /** While the provider does not answer, the keys that it has published last are trusted so long. */
    @WithDefault("PT1H")
    Duration keysKept();

    /** The values of a claim for each right. */
    interface Rights {

        /** Values that give the right {@code reader}. */
        Optional<Set<String>> reader();

        /** Values that give the right {@code writer}. */
        Optional<Set<String>> writer();

        /** Values that give the right {@code admin}. */
        Optional<Set<String>> admin();
    }

    /** The right that a value of the claim gives, or null. */
    default Right right(String value) {
        if (isAmong(rights().admin(), value)) {
            return Right.ADMIN;
        }
        return isAmong(rights().writer(), value)
                ? Right.WRITER
                : isAmong(rights().reader(), value) ? Right.READER : null;
    }

    private static boolean isAmong(Optional<Set<String>> values, String value) {
        return values.isPresent() && values.get().contains(value);
    }

    /** The address at which the provider describes itself. Empty without a provider. */
    default Optional<String> discovery() {
        return issuer().map(issuer -> issuer.toString().replaceFirst("/$", "") + "/.well-known/openid-configuration");
    }

    /** The audiences of which a token needs one. */
    default List<String> audiences() {
        return audience().orElseGet(() -> clientId().map(List::of).orElse(List.of()));
    }
}
