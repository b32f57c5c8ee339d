package io.datasetlisting.suite;

import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The tests with a {@code QuarkusTestProfile} that has a file storage. {@link SuitesTest} compares them. */
@Suite
@SelectPackages("io.datasetlisting")
@IncludeClassNamePatterns(StorageSettingsSuite.CLASSES)
class StorageSettingsSuite {

    static final String CLASSES = ".*\\.(AuditTest|BrowserTest|BulkProgressTest|ConfiguredPageTest|CrossOriginTest"
            + "|DatasetFormBrowserTest|D(eparture|evStorage)Test|EventLoopTest|GeneratedRequestsTest|PageCacheTest"
            + "|P(rivateValues|ublicBaseUrl)Test|RightsMatrixTest|SampleDataTest|StorageFaultsTest|ThumbnailUploadTest)";
}
