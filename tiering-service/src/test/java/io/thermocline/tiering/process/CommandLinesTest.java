// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.commands.DoctorMain;
import io.thermocline.tiering.commands.ServiceMain;
import io.thermocline.tiering.config.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class CommandLinesTest {

  private static final Path EXAMPLE =
      Path.of(System.getProperty("project.root"), "conf", "thermocline.yaml");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path directory;

  @Test
  void namesTheNearestOption() {
    assertEquals(CommandLines.USAGE, run(new Failing(null), "--verbos"));
    assertEquals(
        "thermocline try: Unknown option: '--verbos'; did you mean --verbose?\n", err.toString());
  }

  @Test
  void namesTheNearestOptionOfOneWithAValue() {
    assertEquals(CommandLines.USAGE, run(new Failing(null), "--ouput=x"));
    assertEquals(
        "thermocline try: Unknown option: '--ouput=x'; did you mean --output?\n", err.toString());
  }

  @Test
  void pointsToTheHelpWhereNoOptionIsNear() {
    assertEquals(CommandLines.USAGE, run(new Failing(null), "--xyzzy"));
    assertEquals(
        "thermocline try: Unknown option: '--xyzzy'; see 'thermocline try --help'\n",
        err.toString());
  }

  @Test
  void saysInOneLineWhatIsMissing() {
    assertEquals(CommandLines.USAGE, run(new ServiceMain()));
    assertEquals(
        "thermocline service: Missing required option: '--config=FILE'; see 'thermocline service"
            + " --help'\n",
        err.toString());
  }

  @Test
  void countsABadConfigurationAsBadUsage() {
    assertEquals(
        CommandLines.USAGE, run(new Failing(new ConfigException(List.of("f:1:1: a", "f:2:1: b")))));
    assertEquals("thermocline try: f:1:1: a\nf:2:1: b\n", err.toString());
  }

  @Test
  void tellsAFailureInOneLine() {
    assertEquals(CommandLines.FAILURE, run(new Failing(new IOException("no NameNode at nn1"))));
    assertEquals("thermocline try: no NameNode at nn1\n", err.toString());
  }

  @Test
  void tellsAFailureInOneLineThatHadMany() {
    assertEquals(
        CommandLines.FAILURE,
        run(new Failing(new IOException("Permission denied: user=x\n\tat org.apache\n\tat b"))));
    assertEquals("thermocline try: Permission denied: user=x\n", err.toString());
  }

  @Test
  void namesAFailureThatSaysNothing() {
    assertEquals(CommandLines.FAILURE, run(new Failing(new IllegalStateException())));
    assertEquals("thermocline try: java.lang.IllegalStateException\n", err.toString());
  }

  @Test
  void checksAConfigurationAndWhatItNames() throws IOException {
    Path hadoop = Files.createDirectories(directory.resolve("hadoop"));
    Path core = Files.writeString(hadoop.resolve("core-site.xml"), "<configuration/>");
    Files.writeString(hadoop.resolve("hdfs-site.xml"), "<configuration/>");
    Path log = Files.writeString(directory.resolve("audit.log"), "");
    String text =
        Files.readString(EXAMPLE)
            .replace("/etc/hadoop/conf", hadoop.toString())
            .replace("/var/log/hadoop/hdfs/hdfs-audit.log", log.toString())
            .replace("/var/lib/thermocline", directory.resolve("journal").toString());
    Path file = Files.writeString(directory.resolve("thermocline.yaml"), text);
    String[] check = {"--config", file.toString(), "--check"};
    assertEquals(1, run(new ServiceMain(), check), err::toString);
    List<String> fine = out.toString().lines().toList();
    assertTrue(fine.get(0).startsWith("error: HDFS: "), out::toString);
    String last = file + ": the service can't start now: see the errors";
    assertEquals(List.of(last), fine.subList(1, fine.size()));

    out.getBuffer().setLength(0);
    Files.delete(log);
    Files.writeString(file, text.replaceAll("(?s)\napi:.*", "\n"));
    assertEquals(1, run(new ServiceMain(), check), err::toString);
    List<String> said = out.toString().lines().toList();
    assertTrue(said.get(0).startsWith("error: HDFS: "), out::toString);
    assertTrue(
        said.get(1).startsWith("warning: observe.auditLogs: there is no file " + log),
        out::toString);
    assertTrue(said.get(2).startsWith("warning: api: "), out::toString);
    assertEquals(last, said.get(3));
    assertEquals("", err.toString());

    Files.delete(core);
    assertEquals(CommandLines.USAGE, run(new ServiceMain(), check));
    assertTrue(
        err.toString().contains("hdfs.configuration: " + core + " can't be read: "), err::toString);
  }

  @Test
  void checksABadConfiguration() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("bad.yaml"),
            Files.readString(EXAMPLE).replace("  mode: shadow", "  mod: shadow"));

    assertEquals(
        CommandLines.USAGE, run(new ServiceMain(), "--config", file.toString(), "--check"));
    assertTrue(
        err.toString()
            .matches(
                "thermocline service: .*bad\\.yaml:\\d+:3: act\\.mod is no key: did you mean"
                    + " act\\.mode\\?\n"),
        err.toString());
    assertEquals("", out.toString());
  }

  @Test
  void countsABadHadoopConfigurationAsBadUsage() throws IOException {
    assertEquals(CommandLines.USAGE, doctor());
    assertTrue(
        err.toString()
            .startsWith(
                "thermocline doctor: --hadoop-conf: "
                    + directory
                    + " has no core-site.xml that can be read: "),
        err.toString());

    err.getBuffer().setLength(0);
    Files.writeString(directory.resolve("core-site.xml"), "<configuration><property>");
    assertEquals(CommandLines.USAGE, doctor());
    assertTrue(
        err.toString()
            .startsWith(
                "thermocline doctor: --hadoop-conf: " + directory + " has what Hadoop can't read"),
        err.toString());
    assertEquals(1, err.toString().lines().count(), err.toString());
  }

  private int doctor() {
    return run(
        new DoctorMain(), "--config", EXAMPLE.toString(), "--hadoop-conf", directory.toString());
  }

  private int run(Object command, String... arguments) {
    CommandLine line = CommandLines.of(command);
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  /** Throws what it is given. */
  @Command(name = "thermocline try", mixinStandardHelpOptions = true)
  private static final class Failing implements Callable<Integer> {

    private final Exception failure;

    @Option(names = "--verbose")
    private boolean verbose;

    @Option(names = {"-o", "--output"})
    private String output;

    Failing(Exception failure) {
      this.failure = failure;
    }

    @Override
    public Integer call() throws Exception {
      if (failure != null) {
        throw failure;
      }
      return 0;
    }
  }
}
