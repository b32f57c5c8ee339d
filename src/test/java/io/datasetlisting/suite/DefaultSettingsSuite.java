package io.datasetlisting.suite;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** The tests that are in no other suite: Maven runs three suites at the same time. */
@Suite
@SelectPackages("io.datasetlisting")
@IncludeClassNamePatterns(".*Test")
@ExcludeTags(NightlySuite.TAG)
@ExcludeClassNamePatterns({OtherSettingsSuite.CLASSES, PagesSuite.CLASSES, NightlySuite.WHOLE_CLASSES})
class DefaultSettingsSuite {
}
