// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Tells which accesses the audit lines of one nameservice stand for: docs/accesses.md. What it remembers is bounded,
 * and depends on the lines it was given alone, so that the same lines in the same order give the same accesses. Not
 * thread-safe.
 */
final class AccessRules {

  /** What a line was. */
  enum Outcome {
    /** It stands for at least one access, or is part of a read that was counted. */
    PARSED,
    /** A whole record that says nothing of the heat of data. */
    IGNORED
  }

  private static final int OPENS = 1 << 18;
  private static final int PASSES = 1 << 12;

  private final long nameservice;
  private final AccessSettings settings;
  private final long[] ignoredUsers;
  private final byte[][] ignoredContexts;
  private final List<Pattern> ignoredPaths;
  private final RecentOpens opens;
  private final ScanDetector scans;
  private final PathCursor source = new PathCursor();
  private final PathCursor destination = new PathCursor();
  private final PathCursor sources = new PathCursor();
  private final PathHashes hashes = new PathHashes();
  private final PathHashes newHashes = new PathHashes();
  private final CursorAccess access;
  private final Withdrawn withdrawn = new Withdrawn();
  private long lastMillis;
  private long withdrawals;
  private long scanned;
  private long repeated;

  AccessRules(long nameservice, AccessSettings settings) {
    this.nameservice = nameservice;
    this.access = new CursorAccess(this);
    this.settings = settings;
    this.ignoredUsers = settings.ignored().userHashes();
    this.ignoredContexts = settings.ignored().contextPrefixes();
    this.ignoredPaths = settings.ignored().pathPatterns();
    this.opens =
        settings.openWindow().isZero()
            ? null
            : new RecentOpens(OPENS, settings.openWindow().toMillis());
    this.scans =
        settings.scanFiles() == 0
            ? null
            : new ScanDetector(PASSES, settings.scanFiles(), settings.scanWindow().toMillis());
  }

  /** Hands on what the line stands for, in this order; the objects are used again. */
  Outcome apply(AuditLine line, long timeMillis, Consumer<? super Access> sink) {
    lastMillis = timeMillis;
    Operation operation = line.operation();
    if (operation == Operation.OTHER || operation == Operation.GET_FILE_INFO || !line.allowed()) {
      return Outcome.IGNORED;
    }
    if (operation == Operation.CONCAT) {
      return concat(line, timeMillis, sink);
    }
    if (!line.hasSourcePath()) {
      return Outcome.IGNORED;
    }
    line.source(source);
    switch (operation) {
      case OPEN -> {
        return open(line, timeMillis, sink);
      }
      case CREATE -> start(Access.Kind.CREATE, timeMillis);
      case APPEND, TRUNCATE -> start(Access.Kind.WRITE, timeMillis);
      case DELETE -> start(Access.Kind.DELETE, timeMillis);
      case SET_REPLICATION, SET_STORAGE_POLICY -> start(Access.Kind.LAYOUT, timeMillis);
      case RENAME -> {
        if (!line.hasDestinationPath()) {
          return Outcome.IGNORED;
        }
        line.destination(destination);
        start(Access.Kind.RENAME, timeMillis);
        destination.hash(nameservice, newHashes);
      }
      default -> throw new IllegalStateException(operation + ": was left out above");
    }
    if (access.kind == Access.Kind.CREATE || access.kind == Access.Kind.WRITE) {
      access.partitionKey = partitionKey();
    }
    sink.accept(access);
    return Outcome.PARSED;
  }

  private Outcome open(AuditLine line, long timeMillis, Consumer<? super Access> sink) {
    long user = line.userHash();
    if (isIgnored(line, user)) {
      return Outcome.IGNORED;
    }
    start(Access.Kind.READ, timeMillis);
    access.client = ByteHash.mix(user + 31 * line.clientHash());
    if (opens != null && opens.isRepeat(ByteHash.mix(access.key ^ access.client), timeMillis)) {
      repeated++;
      return Outcome.PARSED;
    }
    access.partitionKey = partitionKey();
    if (scans != null && isOfScan(line, user, sink)) {
      scanned++;
      return Outcome.PARSED;
    }
    sink.accept(access);
    return Outcome.PARSED;
  }

  private boolean isOfScan(AuditLine line, long user, Consumer<? super Access> sink) {
    long pass =
        ByteHash.mix(
            hashes.key(hashes.scannedDepth()) + ByteHash.mix(user + 31 * line.applicationHash()));
    withdrawn.sink = sink;
    withdrawn.client = access.client;
    ScanDetector.Verdict verdict =
        scans.read(pass, access.key, access.partitionKey, access.timeMillis, withdrawn);
    return verdict != ScanDetector.Verdict.COUNTS;
  }

  /** The sources vanish into the target: src=[/a, /b] dst=/target. */
  private Outcome concat(AuditLine line, long timeMillis, Consumer<? super Access> sink) {
    if (!line.hasDestinationPath()) {
      return Outcome.IGNORED;
    }
    line.source(sources);
    for (boolean more = sources.firstOfList(source); more; more = sources.nextOfList(source)) {
      start(Access.Kind.DELETE, timeMillis);
      sink.accept(access);
    }
    line.destination(source);
    start(Access.Kind.WRITE, timeMillis);
    access.partitionKey = partitionKey();
    sink.accept(access);
    return Outcome.PARSED;
  }

  private void start(Access.Kind kind, long timeMillis) {
    access.kind = kind;
    access.timeMillis = timeMillis;
    source.hash(nameservice, hashes);
    access.key = hashes.key();
    access.partitionKey = 0;
    access.client = 0;
    access.hasNewPath = kind == Access.Kind.RENAME;
  }

  private long partitionKey() {
    return hashes.partitionDepth() == 0 ? 0 : hashes.key(hashes.partitionDepth());
  }

  private boolean isIgnored(AuditLine line, long user) {
    if (Arrays.binarySearch(ignoredUsers, user) >= 0) {
      return true;
    }
    for (byte[] context : ignoredContexts) {
      if (line.contextStartsWith(context)) {
        return true;
      }
    }
    if (!ignoredPaths.isEmpty()) {
      String path = source.toString();
      for (Pattern pattern : ignoredPaths) {
        if (pattern.matcher(path).matches()) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Opens that were part of a read counted before, and reads that didn't count since they were of a scan: those
   * withdrawn, and those never told.
   */
  LineCounts counts() {
    return new LineCounts(0, 0, 0, 0, repeated, scanned + withdrawals, 0, 0);
  }

  /** Writes all that later lines depend on. */
  void write(DataOutput out) throws IOException {
    out.writeLong(lastMillis);
    out.writeLong(repeated);
    out.writeLong(scanned);
    out.writeLong(withdrawals);
    out.writeBoolean(opens != null);
    if (opens != null) {
      opens.write(out, lastMillis);
    }
    out.writeBoolean(scans != null);
    if (scans != null) {
      scans.write(out, lastMillis);
    }
  }

  /** Takes what {@link #write} wrote. Where the settings changed since, windows begin anew. */
  void read(DataInput in) throws IOException {
    lastMillis = in.readLong();
    repeated = in.readLong();
    scanned = in.readLong();
    withdrawals = in.readLong();
    if (in.readBoolean()) {
      (opens == null ? new RecentOpens(OPENS, 0) : opens).read(in);
    }
    if (in.readBoolean()) {
      (scans == null ? new ScanDetector(PASSES, 0, 0) : scans).read(in);
    }
  }

  AccessSettings settings() {
    return settings;
  }

  /** What is handed on, again and again. */
  private static final class CursorAccess implements Access {
    private final long nameservice;
    private final PathCursor source;
    private final PathCursor destination;
    private final PathHashes hashes;
    private final PathHashes newHashes;
    private Kind kind;
    private long timeMillis;
    private long key;
    private boolean hasNewPath;
    private long partitionKey;
    private long client;

    CursorAccess(AccessRules rules) {
      this.nameservice = rules.nameservice;
      this.source = rules.source;
      this.destination = rules.destination;
      this.hashes = rules.hashes;
      this.newHashes = rules.newHashes;
    }

    @Override
    public Kind kind() {
      return kind;
    }

    @Override
    public long nameservice() {
      return nameservice;
    }

    @Override
    public long timeMillis() {
      return timeMillis;
    }

    @Override
    public long key() {
      return key;
    }

    @Override
    public String path() {
      return source.toString();
    }

    @Override
    public String newPath() {
      return hasNewPath ? destination.toString() : null;
    }

    @Override
    public PathHashes hashes() {
      return hashes;
    }

    @Override
    public PathHashes newHashes() {
      return hasNewPath ? newHashes : null;
    }

    @Override
    public long partitionKey() {
      return partitionKey;
    }

    @Override
    public long client() {
      return client;
    }
  }

  /** A read that is taken back. */
  private final class Withdrawn implements Access, ScanDetector.Withdrawal {
    private Consumer<? super Access> sink;
    private long client;
    private long readKey;
    private long readPartition;
    private long readMillis;

    @Override
    public void read(long key, long partition, long millis) {
      readKey = key;
      readPartition = partition;
      readMillis = millis;
      withdrawals++;
      sink.accept(this);
    }

    @Override
    public Kind kind() {
      return Kind.WITHDRAW;
    }

    @Override
    public long nameservice() {
      return nameservice;
    }

    @Override
    public long timeMillis() {
      return readMillis;
    }

    @Override
    public long key() {
      return readKey;
    }

    @Override
    public String path() {
      return null;
    }

    @Override
    public String newPath() {
      return null;
    }

    @Override
    public PathHashes hashes() {
      return null;
    }

    @Override
    public PathHashes newHashes() {
      return null;
    }

    @Override
    public long partitionKey() {
      return readPartition;
    }

    @Override
    public long client() {
      return client;
    }
  }
}
