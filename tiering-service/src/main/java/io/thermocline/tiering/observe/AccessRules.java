// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
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
  private final long ownUser;
  private final byte[] ownContext;
  private final RecentOpens opens;
  private final ScanDetector scans;
  private final PathCursor sources = new PathCursor();
  private final Withdrawn withdrawn = new Withdrawn();
  private final LineAccess[] expected = new LineAccess[1 + LineBuffer.AHEAD];
  private final LineAccess[] expectedReads = new LineAccess[1 + LineBuffer.AHEAD];
  private long lastMillis;

  /** Of what was fetched, so that it must be. */
  private long fetched;

  private long withdrawals;
  private long scanned;
  private long repeated;

  /** Reads of the service's user, which may be its own. */
  private long ownUsers;

  /** Whether the log has caller contexts: what the service asks has its own then, and others of its user are told apart. */
  private boolean hasContexts;

  AccessRules(long nameservice, AccessSettings settings) {
    this.nameservice = nameservice;
    this.settings = settings;
    this.ignoredUsers = settings.ignored().userHashes();
    this.ignoredContexts = settings.ignored().contextPrefixes();
    this.ignoredPaths = settings.ignored().pathPatterns();
    this.ownUser = AuditLine.hash(settings.own().user());
    this.ownContext = settings.own().context().getBytes(StandardCharsets.UTF_8);
    this.opens =
        settings.openWindow().isZero()
            ? null
            : new RecentOpens(OPENS, settings.openWindow().toMillis());
    this.scans =
        settings.scanFiles() == 0
            ? null
            : new ScanDetector(PASSES, settings.scanFiles(), settings.scanWindow().toMillis());
  }

  /** Finds out what a record says that waits for its turn: depends on its line alone. */
  void prepare(LineAccess access) {
    AuditLine line = access.line;
    Operation operation = line.operation();
    access.kind = null;
    if (operation == Operation.OTHER
        || operation == Operation.GET_FILE_INFO
        || operation == Operation.CONCAT
        || !line.allowed()
        || !line.hasSourcePath()) {
      return;
    }
    switch (operation) {
      case OPEN -> {
        long user = line.userHash();
        line.source(access.source);
        if (!isIgnored(access, user)) {
          access.set(Access.Kind.READ, nameservice);
          access.readBy(user);
          access.by = by(line);
        }
      }
      case CREATE -> access.begin(Access.Kind.CREATE, nameservice);
      case APPEND, TRUNCATE -> access.begin(Access.Kind.WRITE, nameservice);
      case DELETE -> access.begin(Access.Kind.DELETE, nameservice);
      case SET_REPLICATION -> layout(access, Access.Kind.REPLICATION);
      case SET_STORAGE_POLICY -> layout(access, Access.Kind.POLICY);
      case UNSET_STORAGE_POLICY -> layout(access, Access.Kind.NO_POLICY);
      case SET_ATTRIBUTE -> {
        access.begin(Access.Kind.ATTRIBUTES, nameservice);
        // What the service does in somebody's name is theirs.
        access.by = line.isProxied() ? Access.By.OTHERS : by(line);
      }
      case RENAME -> {
        if (line.hasDestinationPath()) {
          access.begin(Access.Kind.RENAME, nameservice);
        }
      }
      default -> throw new IllegalStateException(operation + ": was left out above");
    }
  }

  private void layout(LineAccess access, Access.Kind kind) {
    access.begin(kind, nameservice);
    access.by = by(access.line);
  }

  private Access.By by(AuditLine line) {
    if (settings.own().user().isEmpty()) {
      return Access.By.OTHERS;
    }
    if (line.hasContext()) {
      return line.contextStartsWith(ownContext) ? Access.By.SERVICE : Access.By.OTHERS;
    }
    return line.userHash() == ownUser ? Access.By.ITS_USER : Access.By.OTHERS;
  }

  /** Fetches from memory what prepared lines will ask for; see {@link AccessSink#expect}. */
  void expect(LineAccess[] lines, int count, AccessSink sink) {
    int accesses = 0;
    int reads = 0;
    for (int i = 0; i < count; i++) {
      LineAccess line = lines[i];
      if (line.isRecord && line.kind != null) {
        expected[accesses++] = line;
        if (line.kind == Access.Kind.READ) {
          expectedReads[reads++] = line;
        }
      }
    }
    if (opens != null) {
      fetched += opens.fetch(expectedReads, reads);
    }
    if (scans != null) {
      fetched += scans.fetch(expectedReads, reads);
    }
    sink.expect(expected, accesses);
  }

  /** Hands on what a prepared record stands for, in this order; the objects are used again. */
  Outcome apply(LineAccess access, AccessSink sink) {
    lastMillis = access.timeMillis;
    hasContexts |= access.line.hasContext();
    if (access.kind == null) {
      return access.line.operation() == Operation.CONCAT && access.line.allowed()
          ? concat(access, sink)
          : Outcome.IGNORED;
    }
    if (access.kind == Access.Kind.READ) {
      if (access.by == Access.By.ITS_USER && !hasContexts) {
        ownUsers++;
        return Outcome.IGNORED;
      }
      if (opens != null && opens.isRepeat(access.open, access.timeMillis)) {
        repeated++;
        return Outcome.PARSED;
      }
      if (scans != null && isOfScan(access, sink)) {
        scanned++;
        return Outcome.PARSED;
      }
    }
    sink.accept(access);
    return Outcome.PARSED;
  }

  private boolean isOfScan(LineAccess access, AccessSink sink) {
    withdrawn.sink = sink;
    withdrawn.client = access.client;
    ScanDetector.Verdict verdict =
        scans.read(access.pass, access.key, access.partitionKey, access.timeMillis, withdrawn);
    return verdict != ScanDetector.Verdict.COUNTS;
  }

  /** The sources vanish into the target: src=[/a, /b] dst=/target. */
  private Outcome concat(LineAccess access, AccessSink sink) {
    AuditLine line = access.line;
    if (!line.hasDestinationPath()) {
      return Outcome.IGNORED;
    }
    line.source(sources);
    PathCursor source = access.source;
    for (boolean more = sources.firstOfList(source); more; more = sources.nextOfList(source)) {
      access.set(Access.Kind.DELETE, nameservice);
      sink.accept(access);
    }
    line.destination(source);
    access.set(Access.Kind.WRITE, nameservice);
    sink.accept(access);
    return Outcome.PARSED;
  }

  private boolean isIgnored(LineAccess access, long user) {
    if (Arrays.binarySearch(ignoredUsers, user) >= 0) {
      return true;
    }
    for (byte[] context : ignoredContexts) {
      if (access.line.contextStartsWith(context)) {
        return true;
      }
    }
    if (!ignoredPaths.isEmpty()) {
      String path = access.source.toString();
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
    return new LineCounts(0, 0, 0, 0, repeated, scanned + withdrawals, ownUsers, 0, 0);
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

  /** A read that is taken back. */
  private final class Withdrawn implements Access, ScanDetector.Withdrawal {
    private AccessSink sink;
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
