package io.datasetlisting.suite;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The tests of the STAC API with the default settings. */
@Suite
@SelectPackages("io.datasetlisting.faces.stac")
@IncludeClassNamePatterns(".*Test")
@ExcludeClassNamePatterns(OtherSettingsSuite.CLASSES)
class StacSuite {
}
