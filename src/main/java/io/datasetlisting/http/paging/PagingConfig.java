package io.datasetlisting.http.paging;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Keys of page sizes. */
@ConfigMapping(prefix = "dataset.listing")
public interface PagingConfig {

    /** Number of items on a page if the request does not name a page size. */
    @WithDefault("15")
    int defaultPageSize();

    /** Largest number of items on a page. A larger {@code page_size} gets this number. */
    @WithDefault("100")
    int maxPageSize();

    /** Largest number of items in an array without pages. */
    @WithDefault("100000")
    int maxArraySize();
}
