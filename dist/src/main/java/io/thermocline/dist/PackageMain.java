// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import io.thermocline.tiering.process.CommandLines;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes the packages of a checkout that was built. */
@Command(
    name = "thermocline package",
    mixinStandardHelpOptions = true,
    description = {
      "Makes a tar.gz and a .deb: the service, the jars of plugin and client, configuration, a unit for"
          + " systemd, a profile for Hadoop's shell scripts, documentation. Needs neither root nor dpkg. The same"
          + " sources give the same bytes.",
      "",
      "Writes each of them twice: with the Hadoop that hosts without one need, and without."
    })
public final class PackageMain implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--output",
      paramLabel = "DIRECTORY",
      description = "where they are put (default: dist/target)")
  private Path output;

  public static void main(String[] args) {
    System.exit(CommandLines.of(new PackageMain()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Path root = Path.of(System.getProperty("thermocline.home", ".")).toAbsolutePath().normalize();
    Path directory = output == null ? root.resolve("dist/target") : output;
    Files.createDirectories(directory);
    Release release = Release.of(root);
    List<Entry> whole = InstalledTree.of(root, release);
    write(whole, "", release, directory);
    write(
        whole.stream().filter(entry -> !entry.path().startsWith(InstalledTree.HADOOP)).toList(),
        "-without-hadoop",
        release,
        directory);
    return 0;
  }

  /** The name in the package is the same either way: one replaces the other. */
  private void write(List<Entry> tree, String kind, Release release, Path directory)
      throws IOException {
    String name = "thermocline-" + release.version();
    write(
        directory.resolve(name + kind + ".tar.gz"),
        out -> TarGz.write(tree, name + "/", release, out));
    write(
        directory.resolve("thermocline" + kind + "_" + release.debian() + "_all.deb"),
        out -> Deb.write(tree, release, out));
  }

  /** Whole or not at all. */
  private void write(Path file, Entry.Writer writer) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(unfinished))) {
      writer.writeTo(out);
    }
    Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    spec.commandLine().getOut().println(file);
  }
}
