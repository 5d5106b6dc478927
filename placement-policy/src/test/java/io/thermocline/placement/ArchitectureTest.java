// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = {"io.thermocline.placement", "org.apache.hadoop.hdfs.server.blockmanagement"},
    importOptions = {DoNotIncludeTests.class, ArchitectureTest.OursOnly.class})
class ArchitectureTest {
  private static final String BRIDGE = "org.apache.hadoop.hdfs.server.blockmanagement";

  @ArchTest
  static final ArchRule modelIsPure =
      classes()
          .that()
          .resideInAPackage("..placement.model..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "..placement.model..");

  @ArchTest
  static final ArchRule suoraIsPure =
      classes()
          .that()
          .resideInAPackage("..placement.suora..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "..placement.model..", "..placement.suora..");

  @ArchTest
  static final ArchRule hdfsUsesNoThirdParty =
      classes()
          .that()
          .resideInAnyPackage("..placement.hdfs..", BRIDGE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..", "io.thermocline.placement..", "org.apache.hadoop..", "org.slf4j");

  @ArchTest
  static final ArchRule noHadoopThirdParty =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.hadoop.thirdparty..", "com.google..");

  @ArchTest
  static final ArchRule noCycles =
      slices().matching("io.thermocline.placement.(*)..").should().beFreeOfCycles();

  /** Leaves out the Hadoop jars, which share the bridge's package. */
  static final class OursOnly implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.isJar();
    }
  }
}
