// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import io.thermocline.tiering.observe.PathKey;
import java.util.Locale;

/**
 * A hint that somebody gave, and on which inode. Immutable.
 *
 * @param hint as it was given
 * @param inode id of the file or directory; 0 of a stream, and where the service made the hint
 * @param path where that is now, after renames; empty of a stream
 * @param givenMillis when it was given or last renewed, milliseconds since 1970
 * @param sinceMillis since when it is judged: when it was given or begins, or earlier where it was renewed before it was judged
 */
public record GivenHint(Hint hint, long inode, String path, long givenMillis, long sinceMillis) {

  /** One that is given for the first time. */
  public GivenHint(Hint hint, long inode, String path, long givenMillis) {
    this(hint, inode, path, givenMillis, Math.max(givenMillis, hint.startMillis()));
  }

  /** A hint of a stream. */
  public static GivenHint onStream(Hint hint, long givenMillis) {
    return new GivenHint(hint, 0, "", givenMillis);
  }

  /** The same in all that follows from it: after a restart, and after a rename. */
  public String id() {
    Operation operation = hint.operation();
    if (hint.scope() == Scope.STREAM) {
      return id("stream." + hash(stream()), operation);
    }
    return isOwn() ? id("own." + hash(path), operation) : idOn(inode, operation);
  }

  /** Of what somebody else than the service gave on an inode: one for each operation. */
  public static String idOn(long inode, Operation operation) {
    return id(Long.toString(inode), operation);
  }

  private static String id(String of, Operation operation) {
    return of + "." + operation.name().toLowerCase(Locale.ROOT);
  }

  /** The stream that it is about. */
  String stream() {
    return streamOf(hint.owner(), hint.target());
  }

  /** A stream is its owner's: nobody says anything about data by another's tag. */
  public static String streamOf(String owner, String tag) {
    return owner + "/" + tag;
  }

  /** Whose a stream is. */
  public static String ownerOf(String stream) {
    return stream.substring(0, Math.max(0, stream.indexOf('/')));
  }

  /** Whether the service made it itself. */
  public boolean isOwn() {
    return hint.source() == Source.SERVICE;
  }

  private static String hash(String text) {
    return String.format("%016x", PathKey.of(0, text));
  }

  /** The same after a rename. */
  public GivenHint movedTo(String newPath) {
    return new GivenHint(hint, inode, newPath, givenMillis, sinceMillis);
  }

  /** The same in the place of one that wasn't judged yet. */
  GivenHint since(GivenHint before) {
    return new GivenHint(
        hint,
        inode,
        path,
        givenMillis,
        Math.max(before.sinceMillis, Math.min(sinceMillis, hint.startMillis())));
  }

  /** How long it was meant to hold, in milliseconds. */
  public long leaseMillis() {
    return Math.max(1, hint.leaseExpiryMillis() - Math.max(givenMillis, hint.startMillis()));
  }

  /** How hot it says that data will be, also where it only says it by what it asks for. */
  public Temperature temperature() {
    return Hints.temperature(hint);
  }
}
