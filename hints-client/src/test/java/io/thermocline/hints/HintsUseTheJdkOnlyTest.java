// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The client enters other people's JVMs: it must not bring or want a class of anybody else. */
@AnalyzeClasses(
    packages = "io.thermocline.hints",
    importOptions = ImportOption.DoNotIncludeTests.class)
class HintsUseTheJdkOnlyTest {

  @ArchTest
  static final ArchRule JDK_ONLY =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "io.thermocline.hints..");

  @ArchTest
  static final ArchRule TYPES_DO_NOT_KNOW_THE_WIRE =
      noClasses()
          .that()
          .resideInAPackage("io.thermocline.hints")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.thermocline.hints.wire..");
}
