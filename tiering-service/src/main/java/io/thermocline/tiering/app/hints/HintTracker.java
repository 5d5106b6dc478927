// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Source;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.tiering.act.HintAttributes;
import io.thermocline.tiering.api.HintService;
import io.thermocline.tiering.app.hints.TouchedPaths.Touch;
import io.thermocline.tiering.app.records.JournaledHints;
import io.thermocline.tiering.classify.HdfsChunks;
import io.thermocline.tiering.cluster.AttributeReader;
import io.thermocline.tiering.config.HintConfig;
import io.thermocline.tiering.config.HintOperations;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintEnd;
import io.thermocline.tiering.hints.HintLog;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.HintSettings;
import io.thermocline.tiering.hints.Hints;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.Paths;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the registry of hints as the extended attributes in HDFS are: it looks at those of each path of which the audit log
 * says that they were set or removed, with the next plan, and at those of all others little by little. Thread-safe: one
 * thread accepts, another looks.
 */
public final class HintTracker {

  private static final Logger LOG = LoggerFactory.getLogger(HintTracker.class);

  /** Of a plan: whoever sets attributes again and again, or has many leases end at once, holds none up for longer. */
  static final long MOST_LOOK_MILLIS = 30_000;

  private final HintRegistry registry;
  private final HintConfig config;
  private final AttributeReader reader;
  private final HintAttributes attributes;
  private final BooleanSupplier mayBegin;
  private final Predicate<String> isManaged;
  private final OpenedFiles opened;
  private final HottestChunks hottest;
  private final Clock clock;

  private final TouchedPaths touched = new TouchedPaths();
  private String scannedUpTo = "";

  /** The path of those touched that was looked at last: the next round goes on after it. */
  private String lookedUpTo = "";

  private final AtomicLong refused = new AtomicLong();

  private final HintSetters setters = new HintSetters(TouchedPaths.MOST);
  private final RefusedHints reasons = new RefusedHints();

  /** How often HDFS didn't let us look at a path, or remove what is over there. */
  private long unseen;

  /**
   * What it looks and works with.
   *
   * @param attributes null where nothing in HDFS may be changed
   * @param mayBegin whether something may be changed at this moment
   */
  public record Hands(
      AttributeReader reader, HintAttributes attributes, Clock clock, BooleanSupplier mayBegin) {

    /** Whom nobody steers. */
    public Hands(AttributeReader reader, HintAttributes attributes, Clock clock) {
      this(reader, attributes, clock, () -> true);
    }
  }

  /** The hints that the service makes itself. */
  private record Own(OpenedFiles opened, HottestChunks hottest) {}

  private HintTracker(
      HintRegistry registry, HintConfig config, Hands hands, Predicate<String> isManaged, Own own) {
    this.opened = own.opened();
    this.hottest = own.hottest();
    this.registry = registry;
    this.config = config;
    this.reader = hands.reader();
    this.attributes = hands.attributes();
    this.mayBegin = hands.mayBegin();
    this.isManaged = isManaged;
    this.clock = hands.clock();
  }

  /**
   * Goes on with what the journal has.
   *
   * @param log where what changes is written
   */
  public static HintTracker open(
      ServiceConfig config, Heat heat, Hands hands, Journal journal, HintLog log) {
    HintConfig hints = config.hints();
    long nameservice = heat.nameservice();
    HintSettings settings = hints.settings().within(Runtime.getRuntime().maxMemory());
    if (settings.maxTotal() < hints.settings().maxTotal()) {
      LOG.info(
          "hints.maxTotal is {}, of {}: as many as a quarter of the heap holds (-Xmx)",
          settings.maxTotal(),
          hints.settings().maxTotal());
    }
    HintRegistry registry =
        new HintRegistry(settings, nameservice, log, HintOperations.off(config).keySet());
    JournaledHints.tell(journal, registry);
    List<String> roots = config.manage().paths();
    Predicate<String> isManaged = path -> Paths.isAtOrBelowAny(path, roots);
    Own own =
        new Own(
            new OpenedFiles(registry, nameservice),
            new HottestChunks(
                hints.operations().timer(),
                new HdfsChunks(hints.smallBelow()),
                registry,
                heat::profiles,
                isManaged));
    return new HintTracker(registry, hints, hands, isManaged, own);
  }

  public HintRegistry registry() {
    return registry;
  }

  /** Counts one that wasn't taken; returns how many there were. */
  public long refusedOne() {
    return refused.incrementAndGet();
  }

  /** Hints that weren't taken since the start. */
  public long refused() {
    return refused.get();
  }

  /** Of an owner, what stands in HDFS and wasn't taken when it was last looked at, and why. */
  public List<HintService.Refused> refused(String owner) {
    return reasons.of(owner);
  }

  /** Whether hints on a path count. */
  public boolean isManaged(String path) {
    return isManaged.test(path);
  }

  /** Takes an access of the nameservice. */
  public void accept(Access access) {
    try {
      registry.accept(access);
    } catch (UncheckedIOException e) {
      LOG.error("{}: what happened to hints isn't recorded", e.getMessage());
    }
    opened.accept(access);
    switch (access.kind()) {
      case CREATE, DELETE -> reasons.gone(access.path());
      case RENAME -> {
        reasons.gone(access.path());
        reasons.gone(access.newPath());
      }
      case READ, SCANNED, WRITE, WITHDRAW, RESTORE, REPLICATION, POLICY, NO_POLICY, ATTRIBUTES -> {
        // What stands there is what stood there.
      }
    }
    // The service's own attributes say whose a storage policy is.
    if (access.kind() == Access.Kind.ATTRIBUTES
        && access.by() != Access.By.SERVICE
        && isManaged.test(access.path())) {
      touched.touch(access.path(), access.user(), access.timeMillis());
    } else if (access.kind() == Access.Kind.RENAME) {
      touched.renamed(access.path(), access.newPath());
    }
  }

  /** Looks at what was set since the last time, and ends what is over. */
  public void refresh() throws IOException {
    NavigableMap<String, Touch> taken = touched.take();
    long end = clock.millis() + MOST_LOOK_MILLIS;
    try {
      while (!taken.isEmpty() && clock.millis() < end) {
        String path =
            taken.higherKey(lookedUpTo) == null ? taken.firstKey() : taken.higherKey(lookedUpTo);
        look(path, taken.get(path));
        taken.remove(path);
        lookedUpTo = path;
      }
      if (!taken.isEmpty()) {
        LOG.warn(
            "{} paths whose attributes were set are looked at with the next plans: {} s went by",
            taken.size(),
            MOST_LOOK_MILLIS / 1000);
      }
    } finally {
      // What couldn't be asked for now.
      touched.putBack(taken);
    }
    opened.note(clock.millis());
    registry.tick(clock.millis());
    for (GivenHint over : registry.takeEnded()) {
      // What is left there says nothing more, and goes when a scan comes by it, unless another
      // user's took its place.
      if (over.inode() != 0 && clock.millis() < end) {
        look(over.path(), Touch.unseen(clock.millis()));
      }
    }
  }

  /** Looks at so many of the files and the directories above them, going on where it was the last time. */
  public void scan(List<FileView> files) throws IOException {
    opened.see(files);
    hottest.note(files, clock.millis());
    int most = config.scanPerPlan();
    // One more than may be looked at: whether it is the last.
    List<String> next = NextPaths.of(files, scannedUpTo, most + 1);
    int left = Math.min(most, next.size());
    Set<String> directories = new HashSet<>();
    int at = 0;
    for (; left > 0; at++, left--) {
      String path = next.get(at);
      look(path, Touch.unseen(clock.millis()));
      String above = above(path);
      for (; isManaged.test(above) && directories.add(above); above = above(above)) {
        look(above, Touch.unseen(clock.millis()));
        left--;
      }
      scannedUpTo = path;
    }
    if (at == next.size()) {
      scannedUpTo = "";
    }
  }

  private static String above(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }

  private void look(String path, Touch touch) throws IOException {
    Optional<AttributeReader.Inode> found;
    try {
      found = reader.inode(path);
    } catch (IOException e) {
      unseen(path, refusal(e));
      return;
    }
    if (found.isEmpty()) {
      reasons.found(path, List.of());
      return;
    }
    look(path, touch, found.get());
  }

  /** What stands there stays as it was known. */
  private void unseen(String path, IOException refusal) {
    unseen++;
    if (Long.bitCount(unseen) == 1) {
      LOG.warn(
          "{} times HDFS didn't let us see or remove what hints stand on a path, the last one is {}: {}",
          unseen,
          path,
          refusal.getMessage());
    }
  }

  /** What HDFS has against one path, which is nothing against the others. Throws all else. */
  private static IOException refusal(IOException e) throws IOException {
    IOException said = e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
    boolean isOfPath =
        said instanceof AccessControlException
            || said instanceof AuthorizationException
            || said instanceof FileNotFoundException
            || said instanceof UnresolvedPathException;
    if (!isOfPath) {
      throw e;
    }
    return said;
  }

  /**
   * Where HDFS refuses it, in safe mode too, it stands there and says nothing more. While nothing may be begun it stays, until a
   * scan comes by it: who set one anew meanwhile would lose that else.
   */
  private void takeAway(String path, Operation operation) throws IOException {
    if (attributes != null && mayBegin.getAsBoolean()) {
      try {
        attributes.remove(path, HintWire.attributeOf(operation));
      } catch (RemoteException e) {
        unseen(path, e);
      } catch (IOException e) {
        unseen(path, refusal(e));
      }
    }
  }

  private void look(String path, Touch touch, AttributeReader.Inode inode) throws IOException {
    List<HintService.Refused> wrong = new ArrayList<>();
    byte[] tag = inode.attributes().get(HintWire.STREAM_ATTRIBUTE);
    // First, so that what stands in their place has their room.
    endAllOf(inode, operation -> !inode.attributes().containsKey(HintWire.attributeOf(operation)));
    Map<Operation, GivenHint> standing = new HashMap<>();
    for (Operation operation : Operation.values()) {
      byte[] text = inode.attributes().get(HintWire.attributeOf(operation));
      if (text == null) {
        setters.forget(GivenHint.idOn(inode.id(), operation));
      } else {
        Optional<GivenHint> first = ofAnother(operation, text, inode);
        first.ifPresent(other -> standing.put(operation, other));
        try {
          GivenHint given = given(operation, text, inode, path, touch);
          Optional<HintRegistry.Full> full =
              isOver(given) || first.isPresent()
                  ? Optional.empty()
                  : registry.give(given, clock.millis());
          if (first.isPresent()) {
            wrong.add(refuse(path, operation.name(), given.hint().owner(), why(first.get())));
          } else if (isOver(given) && !isHeld(given)) {
            takeAway(path, operation);
          } else if (full.isEmpty()) {
            standing.put(operation, given);
            setters.forget(given.id());
          } else {
            wrong.add(refuse(path, operation.name(), given.hint().owner(), why(full.get())));
          }
        } catch (IllegalArgumentException e) {
          // Whom it names as its owner is only what it says.
          wrong.add(refuse(path, operation.name(), inode.owner(), e.getMessage()));
        } catch (IOException e) {
          String why = "HDFS was asked for its owner: " + refusal(e).getMessage();
          wrong.add(refuse(path, operation.name(), inode.owner(), why));
        }
      }
    }
    String stream = stream(tag, standing, touch, inode);
    registry
        .tag(path, stream)
        .ifPresent(full -> wrong.add(refuse(path, "STREAM", GivenHint.ownerOf(stream), why(full))));
    reasons.found(path, wrong);
    endAllOf(inode, operation -> !standing.containsKey(operation));
  }

  /** The hint of another user that holds, and whose attribute this one replaced. */
  private Optional<GivenHint> ofAnother(
      Operation operation, byte[] text, AttributeReader.Inode inode) {
    String owner;
    try {
      owner = HintWire.decode(new String(text, StandardCharsets.UTF_8)).owner();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    return registry
        .hint(GivenHint.idOn(inode.id(), operation))
        .map(HintRegistry.Used::hint)
        .filter(first -> !isOver(first) && first.hint().source() != Source.SERVICE)
        .filter(first -> !first.hint().owner().equals(owner));
  }

  private static String why(GivenHint first) {
    return "it has a "
        + first.hint().operation()
        + " hint of "
        + first.hint().owner()
        + " until "
        + Instant.ofEpochMilli(first.hint().leaseExpiryMillis())
        + "; this one counts from then on";
  }

  private boolean isOver(GivenHint given) {
    return !given.hint().isInForce(clock.millis());
  }

  /** Whether the registry has it, and will end it. */
  private boolean isHeld(GivenHint given) {
    return registry
        .hint(given.id())
        .filter(used -> used.hint().hint().equals(given.hint()))
        .isPresent();
  }

  private void endAllOf(AttributeReader.Inode inode, Predicate<Operation> which) {
    Stream.of(Operation.values())
        .filter(which)
        .forEach(
            each ->
                registry.end(GivenHint.idOn(inode.id(), each), HintEnd.REMOVED, clock.millis()));
  }

  private static String why(HintRegistry.Full full) {
    return full.reason() + ", which is " + full.limit();
  }

  private HintService.Refused refuse(String path, String what, String owner, String why) {
    long many = refusedOne();
    if (Long.bitCount(many) == 1) {
      LOG.warn("{} hints were refused so far, the last one on {}: {}", many, path, why);
    }
    return new HintService.Refused(path, what, owner, why);
  }

  /** The stream of a tag of its own, whose is who set it; or the one that a hint names. */
  private static String stream(
      byte[] tag, Map<Operation, GivenHint> hints, Touch touch, AttributeReader.Inode inode) {
    String named = tag == null ? "" : new String(tag, StandardCharsets.UTF_8);
    if (!named.isEmpty() && named.length() <= Hint.MAX_NAME_LENGTH) {
      String owner = touch.users().size() == 1 ? touch.users().iterator().next() : inode.owner();
      return GivenHint.streamOf(owner, named);
    }
    return hints.values().stream()
        .map(GivenHint::hint)
        .filter(hint -> hint.stream() != null)
        .findFirst()
        .map(hint -> GivenHint.streamOf(hint.owner(), hint.stream()))
        .orElse("");
  }

  /** The hint that stands on an inode, as far as it may be believed that its owner gave it. */
  private GivenHint given(
      Operation operation, byte[] text, AttributeReader.Inode inode, String path, Touch touch)
      throws IOException {
    Hint hint = HintWire.decode(new String(text, StandardCharsets.UTF_8));
    if (hint.operation() != operation) {
      throw new IllegalArgumentException(
          "it says " + hint.operation() + " and stands at " + operation);
    }
    Scope scope = inode.isDirectory() ? Scope.DIRECTORY : Scope.FILE;
    if (hint.scope() != scope || hint.source() == Source.SERVICE) {
      throw new IllegalArgumentException(
          "scope "
              + hint.scope()
              + ", source "
              + hint.source()
              + ": expected "
              + scope
              + ", and not of the service's own making");
    }
    long latest = touch.atMillis() + config.settings().maxLease().toMillis();
    if (hint.startMillis() >= latest) {
      throw new IllegalArgumentException(
          "it begins at "
              + Instant.ofEpochMilli(hint.startMillis())
              + ": expected before "
              + Instant.ofEpochMilli(latest)
              + ", as long as a lease may be (hints.maxLease)");
    }
    Hint cut = hint.leaseExpiryMillis() <= latest ? hint : Hints.until(hint, latest);
    GivenHint given = new GivenHint(cut, inode.id(), path, touch.atMillis());
    boolean isKnown =
        registry
            .hint(given.id())
            .filter(used -> used.hint().hint().owner().equals(hint.owner()))
            .filter(used -> used.hint().hint().equals(cut) || isCut(used.hint(), hint))
            .isPresent();
    if (isKnown) {
      return registry.hint(given.id()).get().hint().movedTo(path);
    }
    if (!isOver(given) && !isTheirs(given.id(), hint, inode, path, touch)) {
      throw new IllegalArgumentException(
          "owner " + hint.owner() + ": it was set by " + setBy(touch, hint.owner()));
    }
    return given;
  }

  private static String setBy(Touch touch, String owner) {
    if (touch.users().contains(owner)) {
      return "another before; its owner removes it, or sets one with another end";
    }
    return touch.users().isEmpty() ? "another, or nobody knows whom" : "" + touch.users();
  }

  /** Whom the log saw is known; else it may be who could have set it. */
  private boolean isTheirs(
      String id, Hint hint, AttributeReader.Inode inode, String path, Touch touch)
      throws IOException {
    Optional<Boolean> seen = setters.isOwner(id, hint, touch.users());
    if (seen.isPresent()) {
      return seen.get();
    }
    String owner = hint.owner();
    if (owner.equals(inode.owner()) || attributes == null) {
      return owner.equals(inode.owner());
    }
    try (HintAttributes.Caller caller = attributes.as(owner)) {
      return caller.mayHint(path);
    }
  }

  /** Whether what is found is known, with as long a lease as may be. */
  private boolean isCut(GivenHint known, Hint found) {
    long expiry = known.hint().leaseExpiryMillis();
    return expiry - known.givenMillis() == config.settings().maxLease().toMillis()
        && expiry < found.leaseExpiryMillis()
        && Hints.until(found, expiry).equals(known.hint());
  }
}
