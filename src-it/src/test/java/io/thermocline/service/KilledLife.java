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
  private final String lastPoint;
  private int timesLeft;
  private long steps;
  private boolean dead;

  /**
   * @param last boundary that it doesn't get over, from 1 on
   */
  KilledLife(long last) {
    this(last, "", 0);
  }

  /**
   * @param point named, that it doesn't get over
   * @param times that it comes there, from 1 on
   */
  KilledLife(String point, int times) {
    this(Long.MAX_VALUE, point, times);
  }

  private KilledLife(long last, String lastPoint, int times) {
    this.last = last;
    this.lastPoint = lastPoint;
    this.timesLeft = times;
  }

  /** One boundary. */
  void step() {
    step("");
  }

  /** One that has a name. */
  void step(String point) {
    if (endsHere(point)) {
      throw new Death();
    }
  }

  private synchronized boolean endsHere(String point) {
    mustLive();
    boolean isThere = !point.isEmpty() && point.equals(lastPoint) && --timesLeft == 0;
    dead = ++steps >= last || isThere;
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
              if (method.getName().equals(cut) && endsHere("")) {
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
      // The interface above HdfsCalls is its package's own.
      method.setAccessible(true);
      return method.invoke(inner, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
