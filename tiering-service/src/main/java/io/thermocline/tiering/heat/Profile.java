// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import java.util.List;

/**
 * What is known exactly of one candidate, as it was at one moment. Times are those of the accesses, in
 * milliseconds since 1970. Bytes and the share of sequential reads are 0 where no source tells them.
 *
 * @param path absolute, in the nameservice
 * @param heat cooled reads
 * @param inherited the part of the heat it came with, from the hotness table, before each access was
 *     recorded; cooled like the heat
 * @param since when recording began: the counts below are those since then, not cooled
 * @param writes times that data was added, replaced or made anew
 * @param rewrites those of them that made the data under this name anew
 * @param sequentialBytes bytes that were read in sequence; random ones are the rest of the bytes read
 * @param recent the last accesses, latest first, at most {@value #RECENT}; reads that were taken back are among them
 */
public record Profile(
    String path,
    double heat,
    double inherited,
    long since,
    long reads,
    long writes,
    long rewrites,
    long bytesRead,
    long bytesWritten,
    long sequentialBytes,
    List<Long> recent) {

  /** As many as a learned model of accesses needs: Octopus++ uses the gaps between twelve. */
  public static final int RECENT = 12;

  public Profile {
    recent = List.copyOf(recent);
  }

  /** Sequential bytes of those read, 0 to 1; NaN where no source told bytes. */
  public double sequentialShare() {
    return bytesRead == 0 ? Double.NaN : (double) sequentialBytes / bytesRead;
  }
}
