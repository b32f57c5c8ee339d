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
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

import io.datasetlisting.http.RequestEnd;
import io.datasetlisting.postgres.database.Connections;
import io.quarkus.hibernate.reactive.panache.Panache;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlClientHelper;

/** Checks the dependencies between the rooms, and which classes may use certain APIs. */
@AnalyzeClasses(packages = "io.datasetlisting", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final Path MAIN = Path.of("src/main/java/io/datasetlisting");

    /** Highest first: a folder uses only folders below it. */
    private static final List<String> FOLDERS = List.of("faces", "write", "catalogue", "dataset", "access", "http",
            "postgres",
            "base");

    private static final Path DOCUMENT = Path.of("docs/architecture.md");
    private static final Pattern ROW_OF_A_ROOM = Pattern.compile("(?m)^\\| (?:`([a-z]+)`)? \\| `([a-z0-9]+)` \\| ");
    private static final Pattern CLASS_OF_A_ROOM = Pattern.compile("\\b([a-z][a-z0-9]+)/([A-Z]\\w++)(?!\\.)");
    private static final Pattern ROOMS_OF_FOLDER = Pattern.compile("Rooms,\\s+highest first:([a-z0-9, ]+)\\.");

    /** The packages, highest first: a room uses only rooms below it. */
    private static final List<String> ROOMS = FOLDERS.stream().flatMap(ArchitectureTest::rooms).toList();

    /** The rooms of a folder, as its package-info.java names them. A room of the folder's name is in the folder itself. */
    private static Stream<String> rooms(String folder) {
        try {
            Matcher rooms = ROOMS_OF_FOLDER
                    .matcher(Files.readString(MAIN.resolve(folder + "/package-info.java")).replaceAll("\n \\*", ""));
            assertTrue(rooms.find(), () -> folder + " names no rooms");
            return Arrays.stream(rooms.group(1).trim().split(", +"))
                    .map(room -> room.equals(folder) ? folder : folder + '.' + room);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ArchTest
    static void eachRoomUsesOnlyRoomsBelowIt(JavaClasses classes) {
        for (int i = 0; i < ROOMS.size(); i++) {
            String[] above = ROOMS.subList(0, i).stream().map(ArchitectureTest::packageOf).toArray(String[]::new);
            noClasses().that().resideInAPackage(packageOf(ROOMS.get(i))).should().dependOnClassesThat()
                    .resideInAnyPackage(above).check(classes);
        }
    }

    @ArchTest
    static void theDocumentHasTheRoomsInTheirOrder(JavaClasses classes) throws IOException {
        List<String> rooms = new ArrayList<>();
        String folder = null;
        for (MatchResult row : ROW_OF_A_ROOM.matcher(Files.readString(DOCUMENT)).results().toList()) {
            folder = row.group(1) == null ? folder : row.group(1);
            rooms.add(row.group(2).equals(folder) ? folder : folder + '.' + row.group(2));
        }
        assertEquals(ROOMS, rooms);
    }

    /** Documents name a class by its room. A room that the code does not have is another folder, of tests for example. */
    @ArchTest
    static void eachClassThatADocumentNamesIsInItsRoom(JavaClasses classes) throws IOException {
        Set<String> unknown = new TreeSet<>();
        List<Path> documents;
        try (Stream<Path> files = Files.walk(Path.of("docs"))) {
            documents = files.filter(file -> file.toString().endsWith(".md")).toList();
        }
        for (Path document : documents) {
            CLASS_OF_A_ROOM.matcher(Files.readString(document)).results().forEach(named -> ROOMS.stream()
                    .filter(room -> room.replaceFirst(".*[.]", "").equals(named.group(1)))
                    .filter(room -> !classes.contain(packageOf(room) + '.' + named.group(2)))
                    .forEach(room -> unknown.add(document + ": " + named.group())));
        }
        assertEquals(Set.of(), unknown);
    }

    @ArchTest
    static final ArchRule eachClassIsInARoom = classes().that()
            .doNotBelongToAnyOf(Main.class, StartupChecks.class, StartStages.class, HealthCheck.class)
            .and().doNotHaveSimpleName("package-info").should()
            .resideInAnyPackage(ROOMS.stream().map(ArchitectureTest::packageOf).toArray(String[]::new));

    /** A new class of a full room belongs into another one, or a class of the room does. */
    @ArchTest
    static void aRoomHasAtMost2000Lines(JavaClasses classes) throws IOException {
        for (String room : ROOMS) {
            long lines = 0;
            try (Stream<Path> files = Files.list(MAIN.resolve(room.replace('.', '/')))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    lines += Files.readAllLines(file).size();
                }
            }
            long counted = lines;
            assertTrue(lines <= 2_000, () -> room + " has " + counted + " lines");
        }
    }

    private static String packageOf(String name) {
        return "io.datasetlisting." + name;
    }

    /** Three classes of the table of fields are exceptions, because they read the columns of a row. */
    @ArchTest
    static final ArchRule queryCodeIsOnlyInRepositories = noClasses().that()
            .haveNameNotMatching(".*Repository(\\$.*)?")
            .and().haveNameNotMatching(".*\\.dataset\\.(DatasetField|FieldType|FieldSelection)(\\$.*)?")
            .and().resideOutsideOfPackages("..database..", "..replica..", "..sample..", "io.datasetlisting.http")
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
            .doNotHaveFullyQualifiedName("io.datasetlisting.faces.api.ApiRoutes")
            .should().dependOnClassesThat().areAssignableTo(Router.class);

    /**
     * Without the annotation, the platform registers these types and all types that they refer to for reflection in a
     * native image.
     */
    @ArchTest
    static final ArchRule vertxParametersHaveTheContextAnnotation = methods().that().arePublic()
            .and().areDeclaredInClassesThat().areAnnotatedWith(jakarta.ws.rs.Path.class)
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
        try (Stream<Path> files = Files.walk(Path.of("src/test"))) {
            for (Path file : files.filter(each -> each.toString().matches(".*\\.(java|js|html)"))
                    .toList()) {
                assertFalse(Files.readString(file).contains(event), () -> file + " contains " + event);
            }
        }
    }
}
