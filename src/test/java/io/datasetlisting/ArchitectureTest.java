package io.datasetlisting;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Holds the rooms apart. */
@AnalyzeClasses(packages = "io.datasetlisting", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule eachRoomKnowsOnlyTheRoomsBelowIt = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("sample").definedBy("..sample..")
            .layer("dataset").definedBy("..dataset..")
            .layer("listing").definedBy("..listing..")
            .layer("storage").definedBy("..storage..")
            .layer("account").definedBy("..account..")
            .layer("database").definedBy("..database..")
            .layer("http").definedBy("..http..")
            .whereLayer("sample").mayNotBeAccessedByAnyLayer()
            .whereLayer("sample").mayOnlyAccessLayers("dataset", "storage", "account")
            .whereLayer("dataset").mayOnlyAccessLayers("listing", "storage", "account", "database", "http")
            .whereLayer("listing").mayOnlyAccessLayers("http")
            .whereLayer("storage").mayOnlyAccessLayers("http")
            .whereLayer("account").mayOnlyAccessLayers("listing", "http")
            .whereLayer("database").mayNotAccessAnyLayer()
            .whereLayer("http").mayNotAccessAnyLayer();

    @ArchTest
    static final ArchRule queryCodeIsInRepositoriesAlone = noClasses().that()
            .haveSimpleNameNotEndingWith("Repository")
            .and().resideOutsideOfPackages("..database..", "..sample..", "..http..")
            .should().dependOnClassesThat()
            .resideInAnyPackage("io.vertx.sqlclient..", "io.vertx.mutiny.sqlclient..", "io.vertx.pgclient..",
                    "java.sql..", "org.hibernate.reactive..");

    @ArchTest
    static final ArchRule nothingReadsTheClockButThroughAClock = noClasses()
            .should().callMethod(System.class, "currentTimeMillis")
            .orShould().callMethod(java.time.Instant.class, "now");
}
