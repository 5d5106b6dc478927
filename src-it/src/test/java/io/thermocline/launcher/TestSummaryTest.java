// SPDX-License-Identifier: Apache-2.0
package io.thermocline.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last line of {@code bin/thermocline test}, and when it is a failure. */
class TestSummaryTest {

  private static final Path PROGRAM =
      Path.of(System.getProperty("project.root", ".."), "bin/TestSummary.java").toAbsolutePath();
  private static final String PASSED = "<testcase classname='A' name='p'/>";
  private static final String FAILED = "<testcase classname='A' name='f'><failure/></testcase>";
  private static final String DISABLED =
      "<testcase classname='A' name='d'><skipped message='needs two disks'/></testcase>";
  private static final String ASSUMED =
      "<testcase classname='A' name='a'><skipped>org.opentest4j.TestAbortedException:"
          + " Assumption failed: no chromium&#10; at A.a</skipped></testcase>";
  private static final String UNSTATED =
      "<testcase classname='A' name='u'><skipped message='void A.u() is @Disabled'/></testcase>";

  @TempDir Path root;

  @Test
  void sumsAllModulesAndNamesReasons() throws Exception {
    report("one/target", "A", PASSED + DISABLED);
    report("two/target/hadoop-3.3.6/target", "A", PASSED + PASSED + ASSUMED);

    assertEquals(
        """
        skipped:  one A.d: needs two disks
        skipped:  two/target/hadoop-3.3.6 A.a: Assumption failed: no chromium
        3 passed, 0 failed, 2 skipped
        exit 0
        """,
        summary());
  }

  @Test
  void failsWhereATestFailedOrWasSkippedForNoReason() throws Exception {
    report("one/target", "A", FAILED + UNSTATED + PASSED);

    assertEquals(
        """
        failed:   one A.f
        skipped:  one A.u: no reason stated
        wrong:    one A.u is skipped without a reason
        1 passed, 1 failed, 1 skipped
        exit 1
        """,
        summary());
  }

  @Test
  void saysWhatFailedAndWhatNeededASecondTry() throws Exception {
    String trace =
        "java.lang.AssertionError: one%sexpected 1&#10;&#9;at org.junit.Assert.fail(A.java)&#10;"
            + "&#9;at io.thermocline.A.f(A.java:7)";
    report(
        "one/target",
        "A",
        "<testcase classname='A' name='f'><failure type='x'>"
            + trace.formatted("&#10;")
            + "</failure><rerunFailure><stackTrace>again</stackTrace></rerunFailure></testcase>"
            + "<testcase classname='A' name='g'><flakyFailure><stackTrace>"
            + trace.formatted(", ")
            + "</stackTrace><system-out>noise</system-out></flakyFailure></testcase>");

    assertEquals(
        """
        failed:   one A.f
                  java.lang.AssertionError: one
                  expected 1
                  at io.thermocline.A.f(A.java:7)
        unsteady: one A.g
                  java.lang.AssertionError: one, expected 1
                  at io.thermocline.A.f(A.java:7)
        1 passed, 1 failed, 0 skipped, 1 unsteady
        exit 1
        """,
        summary());
  }

  /** Whatever a failure says, there is a closing line. */
  @Test
  void readsCharactersThatNoXmlMayHave() throws Exception {
    report(
        "one/target",
        "A",
        "<testcase classname='A' name='f'><failure message='\uFFFF&#xffff;&#0;&#55296;'>"
            + "java.lang.AssertionError: a\uFFFFb&#xFFFF;c&#9;d\u0001&#99999999999;e&#x1F600;"
            + "</failure></testcase>");
    Path broken = root.resolve("one/target/surefire-reports/TEST-B.xml");
    Files.writeString(broken, "<testsuite name='B'><testcase");

    // What is no ASCII, in whatever the JVM takes the terminal's characters to be.
    String said = summary().replaceAll("[^\\p{ASCII}]+|[?]+", "#");

    assertTrue(
        said.startsWith(
            "failed:   one A.f\n          java.lang.AssertionError: a#b#c\td#e#\n"
                + "wrong:    one TEST-B.xml can't be read: "),
        said);
    assertTrue(said.endsWith("\n0 passed, 1 failed, 0 skipped\nexit 1\n"), said);
  }

  @Test
  void failsWhereMoreThanOneTestWasUnsteady() throws Exception {
    String unsteady = "<testcase classname='A' name='g'><flakyFailure/></testcase>";
    report("one/target", "A", PASSED + unsteady);
    assertTrue(summary().endsWith("2 passed, 0 failed, 0 skipped, 1 unsteady\nexit 0\n"));

    report("two/target", "A", unsteady);
    assertTrue(
        summary()
            .endsWith(
                "wrong:    2 tests were unsteady, at most 1 may be\n"
                    + "3 passed, 0 failed, 0 skipped, 2 unsteady\nexit 1\n"));
  }

  @Test
  void failsWhereNothingRan() throws Exception {
    assertTrue(summary().endsWith("no test ran\n0 passed, 0 failed, 0 skipped\nexit 1\n"));
    report("one/target", "A", PASSED);
    report("one/target", "Outer", "");
    assertTrue(summary().startsWith("wrong:    one Outer ran no test\n1 passed"));
    report("one/target", "Outer$Inner", PASSED);
    assertEquals("2 passed, 0 failed, 0 skipped\nexit 0\n", summary());
  }

  private void report(String directory, String name, String cases) throws Exception {
    Path reports = Files.createDirectories(root.resolve(directory).resolve("surefire-reports"));
    Files.writeString(
        reports.resolve("TEST-" + name + ".xml"),
        "<testsuite name='" + name + "'>" + cases + "</testsuite>");
  }

  private String summary() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                PROGRAM.toString(),
                root.toString())
            .redirectErrorStream(true)
            .start();
    String out =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .replace(System.lineSeparator(), "\n");
    return out + "exit " + process.waitFor() + "\n";
  }
}
