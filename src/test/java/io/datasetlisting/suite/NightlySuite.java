package io.datasetlisting.suite;

import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeTags;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The unit tests that take long and fail seldom. The profile nightly runs them, and not {@code ./mvnw verify}. */
@Suite
@SelectPackages("io.datasetlisting")
@IncludeClassNamePatterns(NightlySuite.CLASSES)
@IncludeTags(NightlySuite.TAG)
public class NightlySuite {

    public static final String TAG = "nightly";

    /** The application is built for each profile of the classes that a suite includes, even if it runs none of their methods. */
    static final String CLASSES = ".*\\.(AccessPagesBrowser|ApiPage|Clients|DatasetFormBrowser|DevStorage|Facet|Firefox"
            + "|MapBrowser|PageBrowser|ProxyBrowser|Rank(Comparison|Exactness)|Search|StacPagesBrowser"
            + "|Suggest|TwelveTasks|UnreadStreams)Test";
}
