package io.datasetlisting.suite;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.ExcludeEngines;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The tests of the pages, of STAC, of single writes and of the database, with the default settings. */
@Suite
@SelectPackages("io.datasetlisting")
@IncludeClassNamePatterns(PagesSuite.CLASSES)
@ExcludeClassNamePatterns({OtherSettingsSuite.CLASSES, NightlySuite.WHOLE_CLASSES})
@ExcludeTags(NightlySuite.TAG)
@ExcludeEngines(NightlySuite.OF_ARCHITECTURE)
class PagesSuite {

    static final String CLASSES = "io\\.datasetlisting\\."
            + "(faces\\.(stac|document|detail|list|ground|web)|postgres|write\\.edit)\\..*Test";
}
