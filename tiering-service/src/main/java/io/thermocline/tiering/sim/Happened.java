// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.KeptAccess;
import io.thermocline.tiering.observe.PathKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What a service would be told while a trace passes.
 *
 * @param beginMillis when the trace begins, milliseconds since 1970
 * @param names which file has which path, in the order of time
 * @param others files that nobody accesses
 * @param accesses as the service counts them, in the order in which they are told
 * @param areOpens whether a reader of a large file opens it again and again among the accesses, as in an audit log; else each
 *     read is of all that it takes
 */
public record Happened(
    long beginMillis,
    List<Name> names,
    List<TracedFile> others,
    List<Access> accesses,
    boolean areOpens) {
  private static final long MICROS_A_MILLI = 1_000;

  /** Whose the accesses are: traces name none. */
  public static final String NAMESERVICE = "";

  /** Of traces that say no date: 2020-01-01. */
  private static final long SOME_DAY = 1_577_836_800_000L;

  public Happened {
    names = List.copyOf(names);
    others = List.copyOf(others);
    accesses = List.copyOf(accesses);
  }

  /**
   * A file has this path from a time on.
   *
   * @param atMicros since the trace's begin
   * @param file its index
   * @param path null: it is gone
   */
  public record Name(long atMicros, int file, String path) {}

  /** When the last of it happened, since the trace's begin. */
  public long endMicros() {
    long names = names().stream().mapToLong(Name::atMicros).max().orElse(0);
    long told = accesses().stream().mapToLong(Access::timeMillis).max().orElse(beginMillis);
    return Math.max(names, (told - beginMillis) * MICROS_A_MILLI);
  }

  /** Of a trace that says no more than its accesses: a file is there from its first one on. */
  static Happened of(List<TracedFile> files, List<FileAccess> accesses) {
    List<Name> names = new ArrayList<>();
    List<Access> told = new ArrayList<>();
    BitSet seen = new BitSet();
    for (FileAccess access : accesses) {
      String name = files.get(access.file()).path();
      String path = name.startsWith("/") ? name : "/" + name;
      if (!seen.get(access.file())) {
        seen.set(access.file());
        names.add(new Name(access.atMicros(), access.file(), path));
      }
      told.add(
          KeptAccess.of(
              access.write() ? Access.Kind.WRITE : Access.Kind.READ,
              SOME_DAY + access.atMicros() / MICROS_A_MILLI,
              PathKey.nameservice(NAMESERVICE),
              path));
    }
    return new Happened(SOME_DAY, names, List.of(), told, false);
  }
}
