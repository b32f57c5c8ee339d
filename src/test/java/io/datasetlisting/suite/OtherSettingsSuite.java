package io.datasetlisting.suite;

import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The tests with a {@code QuarkusTestProfile} without a file storage. {@link SuitesTest} compares them. */
@Suite
@SelectPackages("io.datasetlisting")
@IncludeClassNamePatterns(OtherSettingsSuite.WITHOUT_STORAGE)
@ExcludeTags(NightlySuite.TAG)
class OtherSettingsSuite {

    static final String WITHOUT_STORAGE = ".*\\.(ArrayTest|BearerTest|BulkTransferTest|CacheMemoryTest|CompressionTest"
            + "|Change(Follow|Streams)Test|Chunk(Combination|Extents|Pages|SearchModel)Test|DatasetFieldTest|FacetTest"
            + "|LeavingTest|NoPagesTest|Rank(Comparison|Exactness|Folder)?Test|RateLimitTest|RequestLimitsTest"
            + "|TrustedProxyTest|UnreadResponsesTest)";

    static final String CLASSES = WITHOUT_STORAGE + "|" + PagesAndStorageSuite.WITH_STORAGE;
}
