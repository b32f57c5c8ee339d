package io.datasetlisting.suite;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.ExcludeEngines;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeTags;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * The unit tests that take long, wait for limits, or need a start of the application for a few tests. The profile nightly runs
 * them and {@link NightlyPagesSuite}, and not {@code ./mvnw verify}.
 */
@Suite
@SelectPackages("io.datasetlisting")
@IncludeClassNamePatterns(NightlySuite.CLASSES)
@ExcludeClassNamePatterns(NightlyPagesSuite.PACKAGES)
@IncludeTags(NightlySuite.TAG)
@ExcludeEngines(NightlySuite.OF_ARCHITECTURE)
public class NightlySuite {

    public static final String TAG = "nightly";
    /** The engine of ArchitectureTest. It reads all classes of the packages of a suite, also where no class is its test. */
    static final String OF_ARCHITECTURE = "archunit";

    /** The application is built for each profile of the classes that a suite includes, even if it runs none of their methods. */
    static final String WHOLE_CLASSES = ".*\\.(AccessPagesBrowser|Bulk(Progress|Transfer)|CacheMemory|Chunk(Combination|Pages)"
            + "|Clients|CostlyFilter|CrossOrigin|DatasetField|DatasetFormBrowser|Firefox|Grid|ImportBesideWriters|Leaving"
            + "|MapBrowser|OwnTasks|PageBrowser|ProxyBrowser|PublicBaseUrl|Rank|RateLimit|RequestLimits"
            + "|StorageFaults|StoredExportInBucket|TrustedProxy|TwelveTasks|TypedClient|UnreadResponses|WebKit)Test";

    static final String CLASSES = WHOLE_CLASSES
            + "|.*\\.(ApiPage|ChangingSearch|DevStorage|ExpensiveSearch|Facet|FilterIndex|GeoParquet|GrowingListing"
            + "|ParquetImport|RankComparison|Search|StacPagesBrowser|Suggest|UnreadStreams)Test";
}
