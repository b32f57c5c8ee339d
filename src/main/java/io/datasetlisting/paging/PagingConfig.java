package io.datasetlisting.paging;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** PageEnvelope sizes, in items. */
@ConfigMapping(prefix = "dataset.listing")
public interface PagingConfig {

    /** The size of a page when the request names none. */
    @WithDefault("15")
    int defaultPageSize();

    /** The size that larger requests get. */
    @WithDefault("100")
    int maxPageSize();

    /** The most items of an array that has no pages. */
    @WithDefault("100000")
    int maxArraySize();
}
