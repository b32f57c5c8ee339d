package io.datasetlisting.suite;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.ExcludePackages;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The tests that are in no other suite: Maven runs two suites at the same time. */
@Suite
@SelectPackages("io.datasetlisting")
@IncludeClassNamePatterns(".*Test")
@ExcludeClassNamePatterns(OtherSettingsSuite.CLASSES)
@ExcludePackages({"io.datasetlisting.faces.web", "io.datasetlisting.faces.stac"})
class DefaultSettingsSuite {
}
