// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
class ArchitectureTest {
  private static final String BRIDGE = "org.apache.hadoop.hdfs.server.blockmanagement";

  // Without jars: Hadoop's share the bridge's package.
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
          .importPackages("io.thermocline.placement", BRIDGE);

  @Test
  void modelKnowsTheJdkOnly() {
    classes()
        .that()
        .resideInAPackage("..placement.model..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "..placement.model..")
        .check(OURS);
  }

  @Test
  void suoraKnowsTheModelOnly() {
    classes()
        .that()
        .resideInAPackage("..placement.suora..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "..placement.model..", "..placement.suora..")
        .check(OURS);
  }

  @Test
  void choiceKnowsTheModelOnly() {
    classes()
        .that()
        .resideInAPackage("..placement.choice..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "..placement.model..", "..placement.choice..")
        .check(OURS);
  }

  @Test
  void attributedKnowsTheModelOnly() {
    classes()
        .that()
        .resideInAPackage("..placement.attributed..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "..placement.model..", "..placement.attributed..")
        .check(OURS);
  }

  @Test
  void onlyThePluginKnowsHadoop() {
    noClasses()
        .that()
        .resideOutsideOfPackages("..placement.hdfs..", BRIDGE)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.hadoop..")
        .check(OURS);
  }

  @Test
  void pluginNeedsNothingButHadoopAndSlf4j() {
    classes()
        .that()
        .resideInAnyPackage("..placement.hdfs..", BRIDGE)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..", "io.thermocline.placement..", "org.apache.hadoop..", "org.slf4j")
        .check(OURS);
    // Hadoop's relocated copies change their package from line to line.
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.hadoop.thirdparty..")
        .check(OURS);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.thermocline.placement.(*)..").should().beFreeOfCycles().check(OURS);
  }

  @Test
  void theRulesAboveSeeTheBridge() {
    assertTrue(OURS.contain(BRIDGE + ".ThermoclineBridge"));
  }
}
