// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells which accesses the audit lines of one nameservice stand for: docs/concepts/heat.md. What it remembers is bounded,
 * and depends on the lines it was given alone, so that the same lines in the same order give the same accesses. Not
 * thread-safe.
 */
final class AccessRules {

  /** What a line was. */
  enum Outcome {
    /** It stands for at least one access, or is of a scan. */
    PARSED,
    /** A whole record that says nothing of the heat of data. */
    IGNORED
  }

  private static final Logger LOG = LoggerFactory.getLogger(AccessRules.class);
  private static final int OPENS = 1 << 18;
  private static final int PASSES = 1 << 11;

  /** Of what is written; what was written before had a time in its place. */
  private static final long VERSION = -4;

  /** Without whether the log has caller contexts, and without what WebHDFS sends on. */
  private static final long OLDER = -2;

  private final long nameservice;
  private final AccessSettings settings;
  private final long[] ignoredUsers;
  private final byte[][] ignoredContexts;
  private final List<PathGlob> ignoredPaths;
  private final long ownUser;
  private final byte[] ownContext;
  private final RecentOpens opens;
  private final ScanDetector scans;
  private final ScannedFiles scannedFiles;
  private final PathCursor sources = new PathCursor();
  private final OfScan ofScan = new OfScan();
  private final LineAccess[] expected = new LineAccess[1 + LineBuffer.AHEAD];
  private final LineAccess[] expectedReads = new LineAccess[1 + LineBuffer.AHEAD];
  private long lastMillis;

  /** Of what was fetched, so that it must be. */
  private long fetched;

  /** All lines that are opens: the sum of those handed on, and of those below but for the shared ones. */
  private long allOpens;

  /** Opens that the sink has, without those that were withdrawn. */
  private long handedOn;

  private long scanned;
  private long shared;
  private long maintenance;
  private long seconds;
  private long refused;

  /** Of WebHDFS, sent on to a DataNode. */
  private long redirected;

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
    this.scannedFiles = new ScannedFiles(settings.scanAgain().toMillis());
  }

  /** Finds out what a record says that waits for its turn: depends on its line alone. */
  void prepare(LineAccess access) {
    AuditLine line = access.line;
    Operation operation = line.operation();
    access.kind = null;
    access.isMaintenance = false;
    access.isPart = false;
    access.isAgain = false;
    if (operation == Operation.OTHER
        || operation == Operation.GET_FILE_INFO
        || operation == Operation.CONCAT
        || !line.allowed()
        || !line.hasSourcePath()
        || isRedirect(line)) {
      return;
    }
    switch (operation) {
      case OPEN -> {
        long user = line.userHash();
        line.source(access.source);
        access.isMaintenance = isIgnored(access, user);
        if (!access.isMaintenance) {
          access.set(Access.Kind.READ, nameservice);
          access.readBy(user);
          access.extent = ReadExtent.of(line, access.source);
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

  private static boolean isRedirect(AuditLine line) {
    return line.operation() == Operation.OPEN && line.isWebHdfs() && line.allowed();
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
    boolean isOpen = access.line.operation() == Operation.OPEN;
    allOpens += isOpen ? 1 : 0;
    if (access.kind == null) {
      maintenance += access.isMaintenance ? 1 : 0;
      if (isRedirect(access.line)) {
        redirected++;
      } else {
        refused += isOpen && !access.isMaintenance ? 1 : 0;
      }
      return access.line.operation() == Operation.CONCAT && access.line.allowed()
          ? concat(access, sink)
          : Outcome.IGNORED;
    }
    if (access.kind == Access.Kind.READ) {
      if (access.by == Access.By.ITS_USER && !hasContexts) {
        ownUsers++;
        return Outcome.IGNORED;
      }
      RecentOpens.Open open =
          opens == null
              ? RecentOpens.Open.FIRST
              : opens.open(access.open, access.client, access.timeMillis);
      access.isPart = open != RecentOpens.Open.FIRST;
      access.isAgain = open == RecentOpens.Open.AGAIN;
      if (access.isAgain && access.extent == ReadExtent.COLUMNS_OF_SPARK) {
        seconds++;
        return Outcome.PARSED;
      }
      if (scans != null && !counts(access, sink)) {
        scanned++;
        access.kind = Access.Kind.SCANNED;
      } else {
        shared += access.isPart ? 1 : 0;
        handedOn++;
      }
    }
    sink.accept(access);
    return Outcome.PARSED;
  }

  /** Whether a read isn't of a scan, or is of a file that is scanned repeatedly. */
  private boolean counts(LineAccess access, AccessSink sink) {
    long now = access.timeMillis;
    if (access.isPart) {
      return !scans.share(access.pass, access.key, now)
          || scannedFiles.of(access.key, now) == ScannedFiles.Known.COUNTED;
    }
    ofScan.sink = sink;
    ScanDetector.Verdict verdict =
        scans.read(access.pass, access.key, access.partitionKey, now, ofScan);
    return verdict == ScanDetector.Verdict.COUNTS
        || ofScan.isRepeated(access.key, access.partitionKey, now);
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
      for (PathGlob pattern : ignoredPaths) {
        if (pattern.matches(path)) {
          return true;
        }
      }
    }
    return false;
  }

  /** What became of opens. */
  LineCounts counts() {
    LineCounts.Opens of =
        new LineCounts.Opens(
            allOpens,
            shared,
            scanned,
            maintenance,
            ownUsers,
            seconds,
            refused,
            redirected,
            settings.isHeated(nameservice) ? 0 : handedOn);
    return new LineCounts(0, 0, 0, 0, of, scannedFiles.forgotten(), 0, 0);
  }

  /** Writes all that later lines depend on. */
  void write(DataOutput out) throws IOException {
    out.writeLong(VERSION);
    out.writeLong(lastMillis);
    out.writeLong(allOpens);
    out.writeLong(handedOn);
    out.writeLong(shared);
    out.writeLong(scanned);
    out.writeLong(maintenance);
    out.writeLong(ownUsers);
    out.writeLong(seconds);
    out.writeLong(refused);
    out.writeLong(redirected);
    out.writeBoolean(hasContexts);
    out.writeBoolean(opens != null);
    if (opens != null) {
      opens.write(out, lastMillis);
    }
    out.writeBoolean(scans != null);
    if (scans != null) {
      scans.write(out, lastMillis);
      scannedFiles.write(out, lastMillis);
    }
  }

  /**
   * Takes what {@link #write} wrote. Where the settings changed since, or another version wrote it, windows begin
   * anew.
   */
  void read(DataInput in) throws IOException {
    long version = in.readLong();
    if (version != VERSION && version != OLDER) {
      LOG.info(
          "another version remembered the last opens: what scans and shares files is learned anew");
      return;
    }
    lastMillis = in.readLong();
    allOpens = in.readLong();
    handedOn = in.readLong();
    shared = in.readLong();
    scanned = in.readLong();
    maintenance = in.readLong();
    ownUsers = in.readLong();
    seconds = in.readLong();
    refused = in.readLong();
    redirected = version == VERSION ? in.readLong() : 0;
    hasContexts = version == VERSION && in.readBoolean();
    if (in.readBoolean()) {
      (opens == null ? new RecentOpens(OPENS, 0) : opens).read(in);
    }
    if (in.readBoolean()) {
      (scans == null ? new ScanDetector(PASSES, 0, 0) : scans).read(in);
      scannedFiles.read(in);
    }
  }

  /** A read of a scan that is withdrawn, or counts after all. */
  private final class OfScan implements Access, ScanDetector.Scanned {
    private AccessSink sink;
    private Kind told;
    private long readKey;
    private long readPartition;
    private long readMillis;
    private int readParts;

    /** A read that was told is of a scan. */
    @Override
    public void read(long key, long partition, long millis, int parts) {
      if (!isRepeated(key, partition, millis)) {
        scanned += 1 + parts;
        shared -= parts;
        handedOn -= 1 + parts;
        tell(Kind.WITHDRAW, key, partition, millis, parts);
      }
    }

    /** Whether scans read the file repeatedly; if so, the first time counts, too. */
    private boolean isRepeated(long key, long partition, long millis) {
      ScannedFiles.Known known = scannedFiles.read(key, millis);
      if (known == ScannedFiles.Known.UNCOUNTED) {
        scanned--;
        handedOn++;
        tell(Kind.RESTORE, key, partition, scannedFiles.foundMillis(), 0);
      }
      return known != ScannedFiles.Known.NOTHING;
    }

    private void tell(Kind kind, long key, long partition, long millis, int parts) {
      told = kind;
      readKey = key;
      readPartition = partition;
      readMillis = millis;
      readParts = parts;
      sink.accept(this);
    }

    @Override
    public Kind kind() {
      return told;
    }

    @Override
    public int parts() {
      return readParts;
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
  }
}
