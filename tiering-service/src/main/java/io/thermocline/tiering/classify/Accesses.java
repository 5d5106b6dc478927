// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import java.util.Arrays;

/** Requests and bytes of each {@link AccessClass} in one window. Immutable. */
public final class Accesses {
  private static final int CLASSES = AccessClass.values().length;

  public static final Accesses NONE = new Accesses(new long[CLASSES], new long[CLASSES]);

  private final long[] requests;
  private final long[] bytes;

  private Accesses(long[] requests, long[] bytes) {
    this.requests = requests;
    this.bytes = bytes;
  }

  /** These and some more. */
  public Accesses plus(AccessClass of, long moreRequests, long moreBytes) {
    if (moreRequests < 0 || moreBytes < 0) {
      throw new IllegalArgumentException(
          moreRequests + " requests and " + moreBytes + " bytes: neither may be negative");
    }
    // Of most files nothing is known to be done: they share one object.
    if (moreRequests == 0 && moreBytes == 0) {
      return this;
    }
    long[] sumRequests = requests.clone();
    long[] sumBytes = bytes.clone();
    sumRequests[of.ordinal()] += moreRequests;
    sumBytes[of.ordinal()] += moreBytes;
    return new Accesses(sumRequests, sumBytes);
  }

  /** The sum of both, as of a chunk that is made of two. */
  public Accesses plus(Accesses other) {
    if (other == NONE || this == NONE) {
      return other == NONE ? this : other;
    }
    long[] sumRequests = requests.clone();
    long[] sumBytes = bytes.clone();
    for (int i = 0; i < CLASSES; i++) {
      sumRequests[i] += other.requests[i];
      sumBytes[i] += other.bytes[i];
    }
    return new Accesses(sumRequests, sumBytes);
  }

  /** Without the writes. */
  public Accesses reads() {
    Accesses reads = NONE;
    for (AccessClass kind : AccessClass.values()) {
      reads = kind.isWrite() ? reads : reads.plus(kind, requests(kind), bytes(kind));
    }
    return reads;
  }

  public long requests(AccessClass of) {
    return requests[of.ordinal()];
  }

  public long bytes(AccessClass of) {
    return bytes[of.ordinal()];
  }

  public long requests() {
    return Arrays.stream(requests).sum();
  }

  public long bytes() {
    return Arrays.stream(bytes).sum();
  }

  public long writes() {
    return requests(AccessClass.SEQUENTIAL_WRITE)
        + requests(AccessClass.RANDOM_WRITE)
        + requests(AccessClass.OVERWRITE);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Accesses that
        && Arrays.equals(requests, that.requests)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(requests) + Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "requests " + Arrays.toString(requests) + ", bytes " + Arrays.toString(bytes);
  }
}
