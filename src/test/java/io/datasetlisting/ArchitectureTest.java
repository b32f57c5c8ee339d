package io.datasetlisting;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;

import org.hibernate.reactive.mutiny.Mutiny;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

import io.datasetlisting.database.Connections;
import io.datasetlisting.http.RequestEnd;
import io.quarkus.hibernate.reactive.panache.Panache;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlClientHelper;

/** Checks the dependencies between the rooms, and which classes may use certain APIs. */
@AnalyzeClasses(packages = "io.datasetlisting", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    /** Highest first: a room uses only rooms below it. The build runs the first one, and the package does not contain it. */
    private static final List<String> ROOMS = List.of("build", "api", "sample", "site", "web", "chart",
            "transaction", "stac",
            "aggregation", "tile", "item", "mirror", "change", "bulk", "grid", "facet",
            "suggest",
            "search",
            "listing", "column", "query", "format", "cache", "cursor", "rank", "departure", "edit", "dataset", "rule",
            "identity",
            "account", "storage",
            "paging",
            "cql2",
            "input",
            "proxy", "netty", "replica", "http", "database", "place", "base");

    /** The pages have a class for each part; the columns are one algorithm. */
    private static final Set<String> LARGE_ROOMS = Set.of("web", "column");

    @ArchTest
    static void eachRoomUsesOnlyRoomsBelowIt(JavaClasses classes) {
        for (int i = 0; i < ROOMS.size(); i++) {
            String[] above = ROOMS.subList(0, i).stream().map(ArchitectureTest::room).toArray(String[]::new);
            noClasses().that().resideInAPackage(room(ROOMS.get(i))).should().dependOnClassesThat()
                    .resideInAnyPackage(above).check(classes);
        }
    }

    @ArchTest
    static final ArchRule eachClassIsInARoom = classes().that()
            .doNotBelongToAnyOf(Main.class, StartupChecks.class, HealthCheck.class).should()
            .resideInAnyPackage(ROOMS.stream().map(ArchitectureTest::room).toArray(String[]::new));

    /** A new class of a full room belongs into another one, or a class of the room does. */
    @ArchTest
    static void aRoomHasAtMost2000Lines(JavaClasses classes) throws IOException {
        for (String room : ROOMS.stream().filter(each -> !LARGE_ROOMS.contains(each)).toList()) {
            long lines = 0;
            try (Stream<java.nio.file.Path> files = Files
                    .list(java.nio.file.Path.of("src/main/java/io/datasetlisting", room))) {
                for (java.nio.file.Path file : files.toList()) {
                    lines += Files.readAllLines(file).size();
                }
            }
            long counted = lines;
            assertTrue(lines <= 2_000, () -> room + " has " + counted + " lines");
        }
    }

    private static String room(String name) {
        return "io.datasetlisting." + name;
    }

    /** Three classes of the table of fields are exceptions, because they read the columns of a row. */
    @ArchTest
    static final ArchRule queryCodeIsOnlyInRepositories = noClasses().that()
            .haveNameNotMatching(".*Repository(\\$.*)?")
            .and().haveNameNotMatching(".*\\.dataset\\.(DatasetField|FieldType|FieldSelection)(\\$.*)?")
            .and().resideOutsideOfPackages("..database..", "..replica..", "..sample..", "..http..")
            .should().dependOnClassesThat()
            .resideInAnyPackage("io.vertx.sqlclient..", "io.vertx.mutiny.sqlclient..", "io.vertx.pgclient..",
                    "java.sql..", "org.hibernate.reactive..");

    @ArchTest
    static final ArchRule theTimeIsReadOnlyFromAClock = noClasses()
            .should().callMethod(System.class, "currentTimeMillis")
            .orShould().callMethod(java.time.Instant.class, "now");

    /** Panache entities are allowed, because they ask for a connection only inside a session. */
    @ArchTest
    static final ArchRule connectionsAreTakenInOneClassOnly = noClasses().that().doNotBelongToAnyOf(Connections.class)
            .should().accessTargetWhere(targetOwner(assignableTo(Pool.class)
                    .or(assignableTo(io.vertx.sqlclient.Pool.class)).or(equivalentTo(SqlClientHelper.class))
                    .or(equivalentTo(Panache.class)).or(assignableTo(Mutiny.SessionFactory.class)))
                    .and(target(nameMatching("(get|with|open|in|using)[A-Z].*")))
                    .and(target(not(name("getSession")))));

    @ArchTest
    static final ArchRule theEndOfARequestIsObservedInOneClassOnly = noClasses().that()
            .doNotBelongToAnyOf(RequestEnd.class)
            .should().accessTargetWhere(targetOwner(assignableTo(RoutingContext.class)
                    .or(assignableTo(HttpServerResponse.class)))
                    .and(target(nameMatching("addEndHandler|endHandler|closeHandler|exceptionHandler"))));

    @ArchTest
    static final ArchRule handlersAreRegisteredInOneClassOnly = noClasses().that()
            .doNotHaveFullyQualifiedName("io.datasetlisting.api.ApiRoutes")
            .should().dependOnClassesThat().areAssignableTo(Router.class);

    /**
     * Without the annotation, the platform registers these types and all types that they refer to for reflection in a
     * native image.
     */
    @ArchTest
    static final ArchRule vertxParametersHaveTheContextAnnotation = methods().that().arePublic()
            .and().areDeclaredInClassesThat().areAnnotatedWith(Path.class)
            .should(new ArchCondition<>("have @Context on their Vert.x parameters") {

                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                    method.getParameters().stream()
                            .filter(parameter -> parameter.getRawType().getPackageName().startsWith("io.vertx"))
                            .forEach(parameter -> events.add(new SimpleConditionEvent(parameter,
                                    parameter.isAnnotatedWith(Context.class), parameter.getDescription())));
                }
            });

    /** An event that a test makes reaches an element that a hand does not reach. */
    @ArchTest
    static void testsUseTheMouseAndTheKeyboardOfTheBrowser(JavaClasses classes) throws IOException {
        String event = "dispatch" + "Event";
        try (Stream<java.nio.file.Path> files = Files.walk(java.nio.file.Path.of("src/test"))) {
            for (java.nio.file.Path file : files.filter(each -> each.toString().matches(".*\\.(java|js|html)"))
                    .toList()) {
                assertFalse(Files.readString(file).contains(event), () -> file + " contains " + event);
            }
        }
    }
}
