// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * A life of the service that ends at a given boundary, as if its process were killed there: from
 * then on none of its threads gets to anything outside. Thread-safe.
 */
final class KilledLife {

  /** Unwinds everything, as the end of a process does; nobody catches it. */
  static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** What a call has come to outside where it is cut off in its middle. */
  @FunctionalInterface
  interface Half {
    void of(Object[] arguments) throws IOException;
  }

  private final long last;
  private long steps;
  private boolean dead;

  /**
   * @param last boundary that it doesn't get over, from 1 on
   */
  KilledLife(long last) {
    this.last = last;
  }

  /** One boundary. */
  void step() {
    if (endsHere()) {
      throw new Death();
    }
  }

  private synchronized boolean endsHere() {
    mustLive();
    dead = ++steps >= last;
    return dead;
  }

  synchronized void mustLive() {
    if (dead) {
      throw new Death();
    }
  }

  synchronized void end() {
    dead = true;
  }

  synchronized long steps() {
    return steps;
  }

  /**
   * The same with a boundary before and after each call.
   *
   * @param cut name of the method that has another in its middle
   */
  <T> T guard(Class<T> type, T inner, String cut, Half half) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              step();
              if (method.getName().equals(cut) && endsHere()) {
                half.of(arguments);
                throw new Death();
              }
              Object result = call(inner, method, arguments);
              step();
              return result;
            }));
  }

  private static Object call(Object inner, Method method, Object[] arguments) throws Throwable {
    try {
      // The interface above HdfsActions is its package's own.
      method.setAccessible(true);
      return method.invoke(inner, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
