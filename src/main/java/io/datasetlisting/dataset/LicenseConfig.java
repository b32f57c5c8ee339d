package io.datasetlisting.dataset;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of the licence of the datasets. */
@ConfigMapping(prefix = "dataset.stac")
public interface LicenseConfig {

    /** No name of a licence. */
    Pattern IS_OTHER = Pattern.compile("(?i)other|various");
    Pattern SPDX_IDENTIFIER = Pattern.compile("(?i)(?!(other|proprietary|various)$|LicenseRef-).*");

    /** Licence of datasets that have no other one: an SPDX identifier, or {@code other}. */
    @WithDefault("other")
    String license();

    /** Address of the licence's text. */
    Optional<URI> licenseUrl();

    /** The configured address, or the page of the SPDX identifier; empty without both. */
    static Optional<String> address(LicenseConfig config) {
        return config.licenseUrl().map(Object::toString).or(() -> address(config.license()));
    }

    /** The page of an SPDX identifier; empty for another licence. */
    static Optional<String> address(String license) {
        return SPDX_IDENTIFIER.matcher(license).matches()
                ? Optional.of("https://spdx.org/licenses/" + license + ".html")
                : Optional.empty();
    }
}
