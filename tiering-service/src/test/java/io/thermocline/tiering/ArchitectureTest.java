// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Files;

/** The package list is the picture of the architecture; these rules keep it true. */
@AnalyzeClasses(
    packages = "io.thermocline.tiering",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String ROOT = "io.thermocline.tiering.";

  /** Each stage sees the ones whose results it works on, and none sees what sets it up and starts it. */
  @ArchTest
  static final ArchRule STAGES =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("observe")
          .definedBy(ROOT + "observe..")
          .layer("heat")
          .definedBy(ROOT + "heat..")
          .layer("classify")
          .definedBy(ROOT + "classify..")
          .layer("cluster")
          .definedBy(ROOT + "cluster..")
          .layer("hints")
          .definedBy(ROOT + "hints..")
          .layer("decide")
          .definedBy(ROOT + "decide..")
          .layer("plan")
          .definedBy(ROOT + "plan..")
          .layer("review")
          .definedBy(ROOT + "review..")
          .layer("act")
          .definedBy(ROOT + "act..")
          .layer("journal")
          .definedBy(ROOT + "journal..")
          .layer("ha")
          .definedBy(ROOT + "ha..")
          .layer("attributes")
          .definedBy(ROOT + "attributes..")
          .layer("probe")
          .definedBy(ROOT + "probe..")
          .layer("rules")
          .definedBy(ROOT + "rules..")
          .layer("doctor")
          .definedBy(ROOT + "doctor..")
          .layer("sim")
          .definedBy(ROOT + "sim..")
          .layer("shadow")
          .definedBy(ROOT + "shadow..")
          .layer("readorder")
          .definedBy(ROOT + "readorder..")
          .layer("savings")
          .definedBy(ROOT + "savings..")
          .layer("metrics")
          .definedBy(ROOT + "metrics..")
          .layer("api")
          .definedBy(ROOT + "api..")
          .layer("app")
          .definedBy(ROOT + "config..", ROOT + "process..", ROOT + "app..", ROOT + "commands..")
          .whereLayer("app")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("api")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("journal")
          .mayOnlyBeAccessedByLayers("shadow", "savings", "app")
          .whereLayer("shadow")
          .mayOnlyBeAccessedByLayers("savings", "api", "app")
          .whereLayer("savings")
          .mayOnlyBeAccessedByLayers("api", "app")
          .whereLayer("readorder")
          .mayOnlyBeAccessedByLayers("decide", "plan", "shadow", "savings", "sim", "doctor", "app")
          .whereLayer("metrics")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("ha")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("attributes")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("probe")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("doctor")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("rules")
          .mayOnlyBeAccessedByLayers("api", "app")
          .whereLayer("review")
          .mayOnlyBeAccessedByLayers("api", "app")
          .whereLayer("act")
          .mayOnlyBeAccessedByLayers("api", "app")
          .whereLayer("sim")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("plan")
          .mayOnlyBeAccessedByLayers("review", "act", "shadow", "sim", "api", "app")
          .whereLayer("decide")
          .mayOnlyBeAccessedByLayers(
              "rules", "plan", "review", "act", "shadow", "savings", "sim", "api", "app")
          .whereLayer("hints")
          .mayOnlyBeAccessedByLayers("decide", "sim", "api", "app")
          .whereLayer("heat")
          .mayOnlyBeAccessedByLayers("classify", "decide", "shadow", "savings", "sim", "app")
          .whereLayer("classify")
          .mayOnlyBeAccessedByLayers("decide", "plan", "act", "app")
          .whereLayer("cluster")
          .mayOnlyBeAccessedByLayers(
              "decide", "plan", "act", "shadow", "probe", "doctor", "api", "app");

  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching(ROOT + "(*)..").should().beFreeOfCycles();

  /** The service is put together of its parts; none of them sees the whole. */
  @ArchTest
  static final ArchRule PARTS_OF_THE_SERVICE =
      slices().matching(ROOT + "app.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule ONLY_THE_SERVICE_WIRES =
      noClasses()
          .that()
          .resideInAPackage(ROOT + "app.(*)..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ROOT + "app");

  /** Decisions and plans are functions of what they are given; heat is one of accesses, but for its file. */
  @ArchTest
  static final ArchRule PURE_STAGES =
      noClasses()
          .that()
          .resideInAnyPackage(
              ROOT + "classify..",
              ROOT + "hints..",
              ROOT + "decide..",
              ROOT + "readorder..",
              ROOT + "rules..",
              ROOT + "plan..",
              ROOT + "heat..")
          .and()
          .haveNameNotMatching(".*\\.heat\\.HeatCheckpoint(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.hadoop..", "java.io..", "java.nio..", "java.net..", "org.slf4j..");

  /** What is found depends on the facts alone. */
  @ArchTest
  static final ArchRule PURE_CHECKS =
      noClasses()
          .that()
          .resideInAPackage(ROOT + "doctor")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.hadoop..",
              "java.io..",
              "java.net..",
              "org.slf4j..",
              ROOT + "doctor.look");

  /** The only package that changes HDFS is the only one that knows the protocol for it. */
  @ArchTest
  static final ArchRule ONLY_ACT_MOVES =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + "act..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.hadoop.hdfs.server.balancer..",
              "org.apache.hadoop.hdfs.protocol.datatransfer..");

  /** Who opens a FIFO waits for its writer: RegularFiles looks first. */
  @ArchTest
  static final ArchRule LOCAL_FILES_ARE_REGULAR =
      noClasses()
          .should()
          .accessTargetWhere(
              target(owner(type(Files.class)))
                  .and(
                      target(
                          nameMatching(
                              "read(String|AllBytes|AllLines)|new(InputStream|BufferedReader)|lines"))));
}
