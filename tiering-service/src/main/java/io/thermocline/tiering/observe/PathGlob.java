// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.Arrays;

/**
 * A pattern of paths: {@code *} stands for anything within a component, {@code **} for anything. Immutable.
 */
public final class PathGlob {

  /** Letters of a pattern that somebody gives. */
  public static final int MAX_LENGTH = 1000;

  /*
   * Problem. Whoever may write a rule may write a pattern of hundreds of wildcards, and whoever may create a file, a path of
   * thousands of letters. A regular expression tries each wildcard at each place for each place of those before it.
   *
   * So all places of the pattern that the path read so far can lead to are followed at once, as bits: Baeza-Yates and
   * Gonnet, "A New Approach to Text Searching", CACM 1992. Bit i is set where the first i tokens match; a token is a letter
   * or a wildcard. Each letter of the path takes one step of a few operations for each 64 tokens, whatever the pattern is.
   */

  /** Different letters of the pattern, sorted. */
  private final char[] letters;

  /** Of each of these, where it stands. */
  private final long[][] places;

  private final long[] wildcards;

  /** Wildcards that a slash may be part of. */
  private final long[] deep;

  private final int tokens;

  public PathGlob(String glob) {
    int words = glob.length() / Long.SIZE + 1;
    char[] distinct = distinct(glob);
    this.letters = distinct;
    this.places = new long[distinct.length][words];
    this.wildcards = new long[words];
    this.deep = new long[words];
    int token = 0;
    for (int at = 0; at < glob.length(); token++) {
      if (glob.charAt(at) != '*') {
        set(places[Arrays.binarySearch(distinct, glob.charAt(at))], token);
        at++;
        continue;
      }
      // Several in a row are one: as wide as the widest.
      set(wildcards, token);
      for (; at < glob.length() && glob.charAt(at) == '*'; at++) {
        if (glob.startsWith("**", at)) {
          set(deep, token);
        }
      }
    }
    this.tokens = token;
  }

  private static char[] distinct(String glob) {
    StringBuilder letters = new StringBuilder();
    glob.chars()
        .filter(letter -> letter != '*')
        .distinct()
        .sorted()
        .forEach(letter -> letters.append((char) letter));
    return letters.toString().toCharArray();
  }

  /** Whether the whole path matches. */
  public boolean matches(String path) {
    long[] reached = new long[wildcards.length];
    reached[0] = 1 | (wildcards[0] & 1) << 1;
    for (int at = 0; at < path.length(); at++) {
      if (!step(reached, path.charAt(at))) {
        return false;
      }
    }
    return isSet(reached, tokens);
  }

  /** False where nothing is reached. */
  private boolean step(long[] reached, char letter) {
    int known = Arrays.binarySearch(letters, letter);
    long[] staying = letter == '/' ? deep : wildcards;
    long any = 0;
    long into = 0;
    long past = 0;
    for (int word = 0; word < reached.length; word++) {
      long taken = known < 0 ? 0 : reached[word] & places[known][word];
      long next = taken << 1 | into | reached[word] & staying[word] | past;
      into = taken >>> Long.SIZE - 1;
      // A wildcard may stand for nothing; the token behind one is none.
      long skipped = next & wildcards[word];
      past = skipped >>> Long.SIZE - 1;
      reached[word] = next | skipped << 1;
      any |= reached[word];
    }
    return any != 0;
  }

  private static void set(long[] bits, int at) {
    bits[at / Long.SIZE] |= 1L << at;
  }

  private static boolean isSet(long[] bits, int at) {
    return (bits[at / Long.SIZE] & 1L << at) != 0;
  }
}
