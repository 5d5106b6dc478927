// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/**
 * A line of an audit log, and the access that it stands for, used again for other lines: what can be told from the line
 * alone is here, whatever came before it. Not thread-safe.
 */
final class LineAccess implements Access {

  final AuditLine line = new AuditLine();
  final PathCursor source = new PathCursor();
  final PathCursor destination = new PathCursor();
  final PathHashes hashes = new PathHashes();
  final PathHashes newHashes = new PathHashes();

  /** Where the line stands in its buffer. */
  int from;

  int to;

  /** Whether the line is a whole record. */
  boolean isRecord;

  /** Whether this is only the end of a line that was too long. */
  boolean isCut;

  /** Null where it says nothing of the heat of data. */
  Kind kind;

  /** Of REPLICATION, POLICY and NO_POLICY. */
  By by = By.OTHERS;

  private long nameservice;
  long timeMillis;
  long key;
  long partitionKey;
  long client;
  private long address;

  /** Of a READ: the application where it is named, else the client. */
  private long reader;

  /** Of a READ: hash of the path and the application that reads it, whose opens of the file belong together. */
  long open;

  /** Of a READ: hash of the application and its user, who may be scanning. */
  long pass;

  /** Of a READ: whether it is a further open of the file by an application whose opens share it. */
  boolean isPart;

  /** Of a READ that is a part: whether its client opened the file just before. */
  boolean isAgain;

  /** Of a READ. */
  ReadExtent extent = ReadExtent.WHOLE;

  /** Of an open without a kind: whether it is left out as maintenance. */
  boolean isMaintenance;

  /** Takes the line's source as the path of an access, see {@link PathKey#nameservice}. */
  void begin(Kind newKind, long ofNameservice) {
    line.source(source);
    set(newKind, ofNameservice);
  }

  /** Takes the source that was set as the path of an access. */
  void set(Kind newKind, long ofNameservice) {
    kind = newKind;
    nameservice = ofNameservice;
    source.hash(nameservice, hashes);
    key = hashes.key();
    client = 0;
    reader = 0;
    address = 0;
    boolean ofData = kind == Kind.READ || kind == Kind.WRITE || kind == Kind.CREATE;
    int partition = ofData ? hashes.partitionDepth() : 0;
    partitionKey = partition == 0 ? 0 : hashes.key(partition);
    if (kind == Kind.RENAME) {
      line.destination(destination);
      destination.hash(nameservice, newHashes);
    }
  }

  /** Says who reads. */
  void readBy(long user) {
    long context = line.contextHash();
    address = line.addressHash();
    long application = line.namedApplicationHash();
    client = ByteHash.mix(user + 31 * (address ^ context));
    open = key ^ ByteHash.mix(user + 37 * (application == 0 ? context : application));
    pass = ByteHash.mix(user + 31 * (application == 0 ? address : application));
    reader = application == 0 ? client : pass;
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
    return kind == Kind.RENAME ? destination.toString() : null;
  }

  @Override
  public PathHashes hashes() {
    return hashes;
  }

  @Override
  public PathHashes newHashes() {
    return kind == Kind.RENAME ? newHashes : null;
  }

  @Override
  public long partitionKey() {
    return partitionKey;
  }

  @Override
  public String user() {
    return line.user();
  }

  @Override
  public boolean isPart() {
    return isPart;
  }

  @Override
  public boolean isAgain() {
    return isAgain;
  }

  @Override
  public ReadExtent extent() {
    return extent;
  }

  @Override
  public By by() {
    return by;
  }

  @Override
  public long reader() {
    return reader;
  }

  @Override
  public long address() {
    return address;
  }
}
