// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** State in memory, of numbers and words alone. */
public final class SavedNumbers implements StateSink {
  private final List<Long> numbers = new ArrayList<>();

  /** In the order in which they were written. */
  public List<Long> all() {
    return numbers;
  }

  @Override
  public void number(long value) {
    numbers.add(value);
  }

  @Override
  public void text(String value) {
    throw new AssertionError("a text");
  }

  @Override
  public void words(long[] words) {
    for (long word : words) {
      number(word);
    }
  }

  /** To be read once, from the begin. */
  public StateSource source() {
    Iterator<Long> left = numbers.iterator();
    return new StateSource() {
      @Override
      public long number() {
        return left.next();
      }

      @Override
      public String text() {
        throw new AssertionError("a text");
      }

      @Override
      public void words(long[] into) {
        for (int i = 0; i < into.length; i++) {
          into[i] = number();
        }
      }
    };
  }
}
