// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
class ArchitectureTest {
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.thermocline.redundancy");

  @Test
  void chunkingContentAndFlowsArePure() {
    classes()
        .that()
        .resideInAnyPackage("..redundancy.chunk..", "..redundancy.content..", "..redundancy.flow..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java.lang..",
            "java.math..",
            "java.nio.charset..",
            "java.time..",
            "java.util..",
            "..redundancy.chunk..",
            "..redundancy.content..",
            "..redundancy.flow..")
        .check(OURS);
  }

  @Test
  void onlyStoreAndCommandsKnowHadoop() {
    noClasses()
        .that()
        .resideOutsideOfPackages("..redundancy.store..", "..redundancy.commands..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.hadoop..")
        .check(OURS);
  }

  @Test
  void theModuleNeedsNoneOfTheOthers() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.thermocline.tiering..", "io.thermocline.placement..", "io.thermocline.hints..")
        .check(OURS);
  }
}
