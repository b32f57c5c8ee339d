package io.datasetlisting.suite;

import org.junit.platform.suite.api.ExcludeEngines;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeTags;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The tests of the profile nightly for what clients see. Maven runs this suite and {@link NightlySuite} at the same time. */
@Suite
@SelectPackages({"io.datasetlisting.faces.stac", "io.datasetlisting.faces.web"})
@IncludeClassNamePatterns(NightlySuite.CLASSES)
@IncludeTags(NightlySuite.TAG)
@ExcludeEngines(NightlySuite.OF_ARCHITECTURE)
class NightlyPagesSuite {

    static final String PACKAGES = "io\\.datasetlisting\\.faces\\.(stac|web)\\..*";
}
