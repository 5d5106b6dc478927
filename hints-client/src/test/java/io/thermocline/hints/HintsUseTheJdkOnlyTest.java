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
          .that()
          .resideInAnyPackage("io.thermocline.hints", "io.thermocline.hints.wire..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "io.thermocline.hints", "io.thermocline.hints.wire..");

  /** And the mark of its clock. */
  @ArchTest
  static final ArchRule CLIENT_TOO =
      classes()
          .that()
          .resideInAPackage("io.thermocline.hints.client..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "javax.security.auth..",
              "org.ietf.jgss",
              "io.thermocline.hints",
              "io.thermocline.hints.wire",
              "io.thermocline.hints.client",
              "io.thermocline.placement.model");

  /** The placement's own arithmetic, of the packages that need no Hadoop. */
  @ArchTest
  static final ArchRule CHOICE_KNOWS_THE_PURE_PLACEMENT =
      classes()
          .that()
          .resideInAPackage("io.thermocline.hints.choice")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.thermocline.hints.choice",
              "io.thermocline.placement.model",
              "io.thermocline.placement.suora",
              "io.thermocline.placement.choice");

  @ArchTest
  static final ArchRule ONLY_HDFS_KNOWS_HADOOP =
      classes()
          .that()
          .resideInAPackage("io.thermocline.hints.choice.hdfs")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.thermocline.hints.choice..",
              "io.thermocline.placement.choice",
              "org.apache.hadoop.fs..",
              "org.apache.hadoop.hdfs",
              "org.apache.hadoop.hdfs.protocol",
              "org.apache.hadoop.io",
              "org.apache.hadoop.ipc",
              "org.apache.hadoop.security");

  /** What runs in other people's applications: Hadoop's client and a log. */
  @ArchTest
  static final ArchRule FS_KNOWS_HADOOP_ONLY =
      classes()
          .that()
          .resideInAPackage("io.thermocline.hints.fs")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.thermocline.hints..",
              "io.thermocline.placement.choice",
              "io.thermocline.placement.model",
              "org.apache.hadoop.conf",
              "org.apache.hadoop.fs..",
              "org.apache.hadoop.hdfs",
              "org.apache.hadoop.hdfs.client",
              "org.apache.hadoop.hdfs.protocol",
              "org.apache.hadoop.security",
              "org.apache.hadoop.util",
              "org.slf4j");

  /** Only there is HDFS's own command. */
  @ArchTest
  static final ArchRule CLI_KNOWS_HADOOP_ONLY =
      classes()
          .that()
          .resideInAPackage("io.thermocline.hints.cli")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.thermocline.hints..",
              "io.thermocline.placement.model",
              "org.apache.hadoop.conf",
              "org.apache.hadoop.fs",
              "org.apache.hadoop.hdfs",
              "org.apache.hadoop.hdfs.tools",
              "org.apache.hadoop.security",
              "org.apache.hadoop.util");

  @ArchTest
  static final ArchRule REDIRECTING_KNOWS_HADOOP_IN_HDFS_ONLY =
      classes()
          .that()
          .resideInAPackage("io.thermocline.hints.redirect")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "io.thermocline.hints.redirect");

  @ArchTest
  static final ArchRule REDIRECTED_READS_KNOW_HDFS =
      classes()
          .that()
          .resideInAPackage("io.thermocline.hints.redirect.hdfs")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "io.thermocline.hints.redirect..",
              "org.apache.hadoop.fs..",
              "org.apache.hadoop.hdfs..",
              "org.apache.hadoop.io..",
              // The caller context, as which the NameNode audits.
              "org.apache.hadoop.ipc..");

  @ArchTest
  static final ArchRule TYPES_DO_NOT_KNOW_THE_WIRE =
      noClasses()
          .that()
          .resideInAPackage("io.thermocline.hints")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.thermocline.hints.wire..");
}
