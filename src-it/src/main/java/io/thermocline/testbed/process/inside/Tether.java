// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process.inside;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * The main class of each of the cluster's processes: runs another main class, and ends the process when
 * its standard input ends. The testbed holds the other end of that pipe, and the system closes it
 * however the testbed dies, so no process outlives it.
 */
public final class Tether {

  private static final int CUT = 130;

  private Tether() {}

  /**
   * @param args the main class to run, then its arguments
   */
  public static void main(String[] args) throws Exception {
    Thread watch = new Thread(Tether::haltWithParent, "tether");
    watch.setDaemon(true);
    watch.start();
    try {
      Class.forName(args[0])
          .getMethod("main", String[].class)
          .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    } catch (InvocationTargetException e) {
      e.getCause().printStackTrace();
      System.exit(1);
    }
  }

  private static void haltWithParent() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever sent: what counts is the end.
      }
    } catch (IOException e) {
      // As good as the end.
    }
    Runtime.getRuntime().halt(CUT);
  }
}
