// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.util.ApplicationClassLoader;

/**
 * Runs a program of ours on somebody else's Hadoop: the class path is the cluster's, whatever its versions of Jackson
 * or Jetty are, and our own libraries stand before it in a class loader of Hadoop's own make, for us alone. Hadoop
 * and the logging that it brings are shared.
 */
public final class Isolated {

  /** What is Hadoop's even where we have it too. */
  private static final List<String> SHARED =
      List.of(
          "java.",
          "javax.",
          "org.apache.hadoop.",
          "org.apache.log4j.",
          "org.apache.commons.logging.",
          "org.slf4j.",
          "org.xml.",
          "org.w3c.");

  private Isolated() {}

  /**
   * @param args the directory of our jars, the main class, and its arguments
   */
  public static void main(String[] args) throws Throwable {
    ClassLoader loader =
        new ApplicationClassLoader(jars(Path.of(args[0])), Isolated.class.getClassLoader(), SHARED);
    Thread.currentThread().setContextClassLoader(loader);
    try {
      Class.forName(args[1], true, loader)
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static URL[] jars(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
      URL[] urls = new URL[jars.size()];
      for (int i = 0; i < urls.length; i++) {
        urls[i] = jars.get(i).toUri().toURL();
      }
      return urls;
    }
  }
}
