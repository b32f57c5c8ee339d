package io.datasetlisting.suite;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The tests of the pages and of the database with the default settings, and the tests with a {@code QuarkusTestProfile} that has
 * a file storage. {@link SuitesTest} compares these.
 */
@Suite
@SelectPackages("io.datasetlisting")
@IncludeClassNamePatterns({PagesAndStorageSuite.WITH_STORAGE, PagesAndStorageSuite.DEFAULTS})
@ExcludeClassNamePatterns(OtherSettingsSuite.WITHOUT_STORAGE)
@ExcludeTags(NightlySuite.TAG)
class PagesAndStorageSuite {

    static final String WITH_STORAGE = ".*\\.(AuditTest|BrowserTest|BulkProgressTest|ConfiguredPageTest|CrossOriginTest"
            + "|DatasetFormBrowserTest|D(eparture|evStorage)Test|EventLoopTest|GeneratedRequestsTest|PageCacheTest"
            + "|P(rivateValues|ublicBaseUrl)Test|RightsMatrixTest|SampleDataTest|StorageFaultsTest|ThumbnailUploadTest)";

    static final String DEFAULTS = "io\\.datasetlisting\\.(catalogue\\.grid|faces\\.web|postgres|write\\.edit)\\..*Test";
}
