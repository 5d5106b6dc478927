// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Prints the help of every command of every module. It stands in this module because all others are built before it. If a
 * description isn't a format, picocli prints it as it is, with a warning on the standard error output.
 */
class HelpTest {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();
  private static final List<String> MODULES =
      List.of("tiering-service", "redundancy-elimination", "dist", "src-it", "benchmarks");

  /** As class files name the annotation of commands. */
  private static final String COMMAND = "Lpicocli/CommandLine$Command;";

  @Test
  void theHelpOfEveryCommandIsPrintedAsItIsMeant() throws Exception {
    List<URL> urls = new ArrayList<>();
    List<String> commands = new ArrayList<>();
    for (String module : MODULES) {
      Path classes = ROOT.resolve(module).resolve("target/classes");
      assertTrue(Files.isDirectory(classes), () -> classes + " isn't built");
      urls.add(classes.toUri().toURL());
      commands.addAll(commands(classes));
    }
    Map<String, String> helps = new TreeMap<>();
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    // picocli keeps the one that there was when it was loaded.
    Field stream = CommandLine.tracer().getClass().getDeclaredField("stream");
    stream.setAccessible(true);
    Object before = stream.get(CommandLine.tracer());
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), getClass().getClassLoader())) {
      stream.set(CommandLine.tracer(), new PrintStream(said, true, StandardCharsets.UTF_8));
      for (String command : commands) {
        add(line(loader.loadClass(command)), helps);
      }
    } finally {
      stream.set(CommandLine.tracer(), before);
    }
    assertEquals("", said.toString(StandardCharsets.UTF_8));
    for (String command :
        List.of(
            "thermocline service",
            "thermocline status",
            "thermocline plan show",
            "thermocline simulate",
            "thermocline bench join",
            "thermocline rules check",
            "thermocline package",
            "thermocline gateway")) {
      assertTrue(helps.containsKey(command), () -> command + " in " + helps.keySet());
    }
  }

  private static List<String> commands(Path classes) throws IOException {
    List<String> commands = new ArrayList<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(COMMAND)) {
          String name = classes.relativize(file).toString().replace('/', '.');
          commands.add(name.substring(0, name.length() - ".class".length()));
        }
      }
    }
    return commands;
  }

  /** Of a program that needs something, by its own method. */
  private static CommandLine line(Class<?> command) throws ReflectiveOperationException {
    Method line;
    try {
      line = command.getDeclaredMethod("line");
    } catch (NoSuchMethodException e) {
      return new CommandLine(command);
    }
    line.setAccessible(true);
    return (CommandLine) line.invoke(null);
  }

  private static void add(CommandLine line, Map<String, String> helps) {
    helps.put(line.getCommandSpec().qualifiedName(), line.getUsageMessage());
    line.getSubcommands().values().forEach(each -> add(each, helps));
  }
}
