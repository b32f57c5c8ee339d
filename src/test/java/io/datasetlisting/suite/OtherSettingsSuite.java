package io.datasetlisting.suite;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.ExcludeEngines;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The tests with a {@code QuarkusTestProfile}: the application is built and started once for each. {@link SuitesTest} compares
 * these.
 */
@Suite
@SelectPackages("io.datasetlisting")
@IncludeClassNamePatterns(OtherSettingsSuite.CLASSES)
@ExcludeClassNamePatterns(NightlySuite.WHOLE_CLASSES)
@ExcludeTags(NightlySuite.TAG)
@ExcludeEngines(NightlySuite.OF_ARCHITECTURE)
class OtherSettingsSuite {

    static final String CLASSES = ".*\\.(ArrayTest|AuditTest|BearerTest|BrowserTest|BulkProgressTest|BulkTransferTest"
            + "|CacheMemoryTest|Change(Follow|Streams)Test|Chunk(Combination|Extents|Pages|SearchModel)Test"
            + "|CompressionTest|ConfiguredPageTest|CrossOriginTest|DatasetFieldTest|DatasetFormBrowserTest"
            + "|DepartureTest|DevStorageTest|EventLoopTest|FacetTest|FlatGeobufLimitsTest|GeneratedRequestsTest"
            + "|LateBodyTest|LeavingTest|MatchTest|NamedRastersTest|NoPagesTest|NoSpoolTest|PageCacheTest"
            + "|PrivateValuesTest|PublicBaseUrlTest"
            + "|Rank(Comparison|Exactness|Folder)?Test|RateLimitTest|RequestLimitsTest|RightsMatrixTest"
            + "|Raster(Leak|Read|TilesBrowser|Viewer)?Test|SampleDataTest|StorageFaultsTest"
            + "|StoredExport(InBucket)?Test|ThumbnailUploadTest|TrustedProxyTest|UnreadResponsesTest)";
}
