package io.datasetlisting.access.identity;

import java.util.regex.Pattern;

/** The scheme of the provider in the OpenAPI documents, which the build writes with an example of its address. */
public final class ProviderScheme {

    /** The scheme and all that refers to it, in JSON and in YAML. */
    private static final Pattern SCHEME = Pattern.compile("""
            ,\\s*\\{\\s*"OpenIdConnect"\\s*:\\s*\\[\\s*]\\s*}|,\\s*"OpenIdConnect"\\s*:\\s*\\{[^}]*}\
            |(?m:^ *- OpenIdConnect: \\[]\\n|^    OpenIdConnect:\\n(?:      .*\\n)+)""");

    private ProviderScheme() {
    }

    /** A document with the address of the provider, or without the scheme, whose address is an example. */
    public static String describe(String document, OidcConfig config) {
        return config.discovery().map(address -> document.replace(OidcConfig.EXAMPLE, address))
                .orElseGet(() -> SCHEME.matcher(document).replaceAll(""));
    }
}
