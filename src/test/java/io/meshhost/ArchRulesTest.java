package io.meshhost;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows of DESIGN.md, each with the reason why it may not point back. */
@AnalyzeClasses(packages = "io.meshhost", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchRulesTest {

    @ArchTest
    static final ArchRule roomsAreEnteredFromAboveOnly = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("cli")
            .definedBy("io.meshhost.cli..")
            .layer("converge")
            .definedBy("io.meshhost.converge..")
            .layer("control")
            .definedBy("io.meshhost.control..")
            .layer("apply")
            .definedBy("io.meshhost.apply..")
            .layer("declaration")
            .definedBy("io.meshhost.declaration..")
            .layer("record")
            .definedBy("io.meshhost.record..")
            .layer("bundle")
            .definedBy("io.meshhost.bundle..")
            .layer("launch")
            .definedBy("io.meshhost.launch..")
            .layer("machine")
            .definedBy("io.meshhost.machine..")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("control")
            .mayOnlyBeAccessedByLayers("cli", "converge")
            .whereLayer("converge")
            .mayOnlyBeAccessedByLayers("cli", "control")
            .whereLayer("apply")
            .mayOnlyBeAccessedByLayers("cli", "control", "converge")
            .whereLayer("launch")
            .mayOnlyBeAccessedByLayers("cli", "control", "converge")
            .whereLayer("declaration")
            .mayOnlyBeAccessedByLayers("cli", "control", "converge", "apply")
            .whereLayer("record")
            .mayOnlyBeAccessedByLayers("cli", "control", "converge", "apply")
            .whereLayer("bundle")
            .mayOnlyBeAccessedByLayers("cli", "control", "converge", "apply")
            .as("a room is entered from above only")
            .because("a change to one behaviour must touch one room; an arrow that points back makes two of them one");

    @ArchTest
    static final ArchRule roomsHaveNoCycles = slices().matching("io.meshhost.(*)..")
            .should()
            .beFreeOfCycles()
            .because("rooms in a cycle can only be understood together");

    @ArchTest
    static final ArchRule onlyTheMachineRoomRunsPrograms = noClasses()
            .that(not(resideInAPackage("io.meshhost.machine..")))
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.ProcessBuilder")
            .orShould()
            .callMethod(Runtime.class, "exec", String.class)
            .because("what a root daemon executes must be found by reading one room");

    @ArchTest
    static final ArchRule onlyTheMachineRoomWritesFiles = noClasses()
            .that(not(resideInAnyPackage("io.meshhost.machine..")))
            .should()
            .callMethodWhere(WriteCalls.any())
            .because(
                    "only writes that pass machine.Files are numbered, so only those can be proved to survive a power cut");

    @ArchTest
    static final ArchRule onlyTheMachineRoomKnowsTheTimeAndTheEnvironment = noClasses()
            .that(not(resideInAnyPackage("io.meshhost.machine..", "io.meshhost.cli..")))
            .should()
            .callMethod(System.class, "getenv")
            .orShould()
            .callMethod(System.class, "getenv", String.class)
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callMethod(java.time.ZonedDateTime.class, "now")
            .because("time and environment are passed in, or a test could only check ranges");

    @ArchTest
    static final ArchRule nothingSleeps = noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", java.time.Duration.class)
            .because("a sleep cannot be woken by a signal, a stop or a test clock; timers go through machine.Ticker");

    @ArchTest
    static final ArchRule theDomainKnowsNoFramework = noClasses()
            .that(resideInAnyPackage(
                    "io.meshhost.machine..",
                    "io.meshhost.declaration..",
                    "io.meshhost.record..",
                    "io.meshhost.bundle..",
                    "io.meshhost.apply..",
                    "io.meshhost.launch.."))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.quarkus..", "io.vertx..", "io.smallrye.mutiny..", "picocli..", "jakarta..")
            .because("short commands start without Quarkus, and decisions are tested as plain functions");

    @ArchTest
    static final ArchRule onlyTheCliEndsTheProcess = noClasses()
            .that(not(resideInAPackage("io.meshhost.cli..")))
            .should()
            .callMethod(System.class, "exit", int.class)
            .because("exit codes are mapped in one place");

    @ArchTest
    static final ArchRule nothingListensOnTcp = noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.net.ServerSocket")
            .because("the host listens on no TCP port unless told to (SPEC 0)");

    @ArchTest
    static final ArchRule onlyBundlesAndHealthConnect = noClasses()
            .that(not(resideInAnyPackage("io.meshhost.bundle..", "io.meshhost.apply..")))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.net.http..")
            .because(
                    "the host connects to nothing but the bundle sources and the health addresses that it was given (SPEC 0)");

    @ArchTest
    static final ArchRule noDriverManager = noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.sql.DriverManager")
            .because("Quarkus turns its service loader off in a native executable: no suitable driver there");

    @ArchTest
    static final ArchRule onlyOneRoomCallsForeignFunctions = noClasses()
            .that(not(resideInAPackage("io.meshhost.machine.linux..")))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.lang.foreign..")
            .because("each downcall needs native metadata, and the first use costs half a second on the JVM");

    private ArchRulesTest() {}
}
