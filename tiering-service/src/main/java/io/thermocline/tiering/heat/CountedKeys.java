// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/**
 * Under which key a path's last read was counted, where that was not the path's own: reads that are taken back
 * say only the latter. Of fixed size: what shares a place with a later one is forgotten. One thread.
 */
final class CountedKeys {
  private static final int PLACES = 1 << 14;

  private final long[] own = new long[PLACES];
  private final long[] counted = new long[PLACES];

  /** A read of a path was counted under a key. */
  void note(long ownKey, long countedKey) {
    int place = place(ownKey);
    if (ownKey != countedKey) {
      own[place] = ownKey;
      counted[place] = countedKey;
    } else if (own[place] == ownKey) {
      own[place] = 0;
    }
  }

  /** Reads what {@link #note} will. */
  long fetch(long ownKey) {
    return own[place(ownKey)];
  }

  /** The key that the last read was counted under. */
  long of(long ownKey) {
    int place = place(ownKey);
    return own[place] == ownKey ? counted[place] : ownKey;
  }

  private static int place(long ownKey) {
    return (int) (ownKey >>> 40) & PLACES - 1;
  }

  SavedState freeze() {
    long[] ownNow = own.clone();
    long[] countedNow = counted.clone();
    return sink -> {
      sink.words(ownNow);
      sink.words(countedNow);
    };
  }

  void restore(StateSource source) {
    source.words(own);
    source.words(counted);
  }
}
