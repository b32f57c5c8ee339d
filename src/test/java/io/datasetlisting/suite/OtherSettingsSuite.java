package io.datasetlisting.suite;

import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The tests with a {@code QuarkusTestProfile}. {@link SuitesTest} compares them. */
@Suite
@SelectPackages("io.datasetlisting")
@IncludeClassNamePatterns(OtherSettingsSuite.CLASSES)
class OtherSettingsSuite {

    static final String CLASSES = ".*\\.(A(rray|udit)Test|BrowserTest|Bulk(Progress|Transfer)Test|CacheMemoryTest"
            + "|CompressionTest|ConfiguredPageTest|CrossOriginTest"
            + "|BearerTest|Change(Follow|Streams)Test|Dataset(Field|FormBrowser)Test|D(eparture|evStorage)Test"
            + "|EventLoopTest|FacetTest"
            + "|GeneratedRequestsTest|LeavingTest|NoPagesTest|PageCacheTest|P(rivateValues|ublicBaseUrl)Test"
            + "|Rank(Comparison|Exactness|Folder)?Test|RateLimitTest|RequestLimitsTest|RightsMatrixTest"
            + "|SampleDataTest|StorageFaultsTest"
            + "|ThumbnailUploadTest|TrustedProxyTest|UnreadResponsesTest)";
}
