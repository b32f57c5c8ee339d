package io.datasetlisting.suite;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The tests of the pages with the default settings. */
@Suite
@SelectPackages("io.datasetlisting.faces.web")
@IncludeClassNamePatterns(".*Test")
@ExcludeClassNamePatterns(OtherSettingsSuite.CLASSES)
class PagesSuite {
}
