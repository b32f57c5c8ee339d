package io.datasetlisting.suite;

import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The tests that are not in {@link OtherSettingsSuite}: Maven runs the two suites at the same time. */
@Suite
@SelectPackages("io.datasetlisting")
@IncludeClassNamePatterns("(?!" + OtherSettingsSuite.CLASSES + "$).*Test")
class DefaultSettingsSuite {
}
