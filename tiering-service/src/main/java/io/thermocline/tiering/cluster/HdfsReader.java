// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.Paths;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads from the live HDFS what decisions need: nodes with their storages, files with their replicas.
 * Changes nothing.
 *
 * <p>Locations come from listings and file status, which the NameNode audits as {@code listStatus} and
 * {@code getfileinfo}. The obvious call, getBlockLocations, is audited as {@code open}: the service
 * would see its own looking as reading. Thread-safe as DFSClient is.
 */
public final class HdfsReader implements NamespaceView {

  /** Of the files of a page fewer than these are better asked for one by one. */
  private static final int WORTH_A_LISTING = 16;

  private static final Logger LOG = LoggerFactory.getLogger(HdfsReader.class);

  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();
  private final DFSClient client;
  private final DataNodeReport.Source reports;
  private final Runnable beforeLooking;

  public HdfsReader(DFSClient client) {
    this(client, () -> {});
  }

  /**
   * One of an ordinary user.
   *
   * @param reports of DataNodes, which that one may not ask for
   */
  public static HdfsReader with(DFSClient client, DataNodeReport.Source reports) {
    return new HdfsReader(client, reports, () -> {});
  }

  /**
   * @param beforeLooking run before each call of the NameNode that looks at single files
   */
  public HdfsReader(DFSClient client, Runnable beforeLooking) {
    this(client, () -> DataNodeReport.of(client), beforeLooking);
  }

  private HdfsReader(DFSClient client, DataNodeReport.Source reports, Runnable beforeLooking) {
    this.client = client;
    this.reports = reports;
    this.beforeLooking = beforeLooking;
  }

  @Override
  public ClusterView cluster() throws IOException {
    Map<String, ClusterView.Node> nodes = new HashMap<>();
    for (DataNodeReport report : reports.read()) {
      if (report.isInService()) {
        nodes.put(
            report.uuid(),
            new ClusterView.Node(
                report.uuid(),
                report.address(),
                report.rack(),
                report.storages().stream()
                    .filter(storage -> !storage.isFailed())
                    .map(
                        storage ->
                            new ClusterView.Storage(
                                storage.id(),
                                report.uuid(),
                                storage.type(),
                                storage.capacity(),
                                storage.remaining()))
                    .toList(),
                report.cacheCapacity(),
                report.cacheUsed(),
                report.host(),
                report.silentMillis(),
                report.webServer(UserGroupInformation.isSecurityEnabled())));
      }
    }
    return new ClusterView(nodes, client.getServerDefaults().getBlockSize());
  }

  /**
   * Files, and the directories that hold nothing but these.
   */
  public record Listing(List<FileView> files, Set<String> wholeDirectories) {}

  @Override
  public Set<String> unreadable() {
    return Set.copyOf(unreadable);
  }

  /**
   * One page of a directory.
   *
   * @param listing null where the directory is gone, or refused
   * @param isRefused whether HDFS doesn't let this user list it: whose it is decides on its files, not on those of others
   */
  private record Page(DirectoryListing listing, boolean isRefused) {
    boolean hasMore() {
      return listing != null && listing.hasMore();
    }

    HdfsFileStatus[] statuses() {
      return listing == null ? new HdfsFileStatus[0] : listing.getPartialListing();
    }
  }

  private Page list(String directory, byte[] after, boolean isLocated) throws IOException {
    try {
      DirectoryListing listing = client.listPaths(directory, after, isLocated);
      unreadable.remove(directory);
      return new Page(listing, false);
    } catch (FileNotFoundException e) {
      unreadable.remove(directory);
      return new Page(null, false);
    } catch (AccessControlException e) {
      if (unreadable.size() < MOST_UNREADABLE && unreadable.add(directory)) {
        LOG.warn(
            "files below {} are left out: {}",
            directory,
            e.getMessage().lines().findFirst().orElse(""));
        if (unreadable.size() == MOST_UNREADABLE) {
          LOG.warn(
              "{} directories can't be listed; more of them are left out, too, but not named",
              MOST_UNREADABLE);
        }
      }
      return new Page(null, true);
    }
  }

  @Override
  public Set<String> pass(List<String> roots, Predicate<String> ignored, Consumer<FileView> each)
      throws IOException {
    Set<String> whole = new HashSet<>();
    Set<String> refused = new HashSet<>();
    Deque<String> directories = new ArrayDeque<>(roots);
    while (!directories.isEmpty()) {
      String directory = directories.pop();
      byte[] after = HdfsFileStatus.EMPTY_NAME;
      boolean isWhole = true;
      Page page;
      do {
        page = list(directory, after, true);
        if (page.listing() == null) {
          isWhole = false;
          if (unreadable.contains(directory)) {
            refused.add(directory);
          }
          break;
        }
        for (HdfsFileStatus status : page.statuses()) {
          String path = status.getFullName(directory);
          Optional<FileView> file =
              ignored.test(path) || status.isDirectory() ? Optional.empty() : view(path, status);
          file.ifPresent(each);
          isWhole &= file.isPresent();
          if (status.isDirectory() && !ignored.test(path)) {
            directories.push(path);
          }
        }
        after = page.listing().getLastName();
      } while (page.hasMore());
      if (isWhole) {
        whole.add(directory);
      }
    }
    // Some may be gone.
    unreadable.removeIf(path -> Paths.isAtOrBelowAny(path, roots) && !refused.contains(path));
    return whole;
  }

  /**
   * What a directory has of one name.
   *
   * @param policy id of the storage policy in force; 0 where nobody set one
   * @param file null where it isn't a closed, replicated file
   */
  record Child(String name, Kind kind, int policy, FileView file) {
    enum Kind {
      DIRECTORY,
      FILE,
      /** A file that is being written. */
      OPEN,
      /** What isn't ours to move: erasure-coded files, symlinks. */
      OTHER
    }
  }

  /**
   * What is right in a directory.
   *
   * @param isRefused whether HDFS doesn't let this user list it
   */
  private record Children(Optional<List<Child>> all, boolean isRefused) {}

  /** What is right in a directory; empty where there is no directory of that path that may be listed. */
  Optional<List<Child>> children(String directory) throws IOException {
    return look(directory).all();
  }

  private Children look(String directory) throws IOException {
    List<Child> children = new ArrayList<>();
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    Page page;
    do {
      page = list(directory, after, true);
      if (page.listing() == null) {
        return new Children(Optional.empty(), page.isRefused());
      }
      for (HdfsFileStatus status : page.statuses()) {
        if (status.isEmptyLocalName()) {
          // The path is a file, which is listed as itself.
          return new Children(Optional.empty(), false);
        }
        children.add(child(status, directory));
      }
      after = page.listing().getLastName();
    } while (page.hasMore());
    return new Children(Optional.of(children), false);
  }

  private static Child child(HdfsFileStatus status, String directory) {
    Optional<FileView> file =
        status.isDirectory() ? Optional.empty() : view(status.getFullName(directory), status);
    Child.Kind kind = Child.Kind.OTHER;
    if (status.isDirectory()) {
      kind = Child.Kind.DIRECTORY;
    } else if (file.isPresent()) {
      kind = Child.Kind.FILE;
    } else if (status instanceof HdfsLocatedFileStatus located
        && located.getLocatedBlocks() != null
        && located.getLocatedBlocks().isUnderConstruction()) {
      kind = Child.Kind.OPEN;
    }
    return new Child(
        status.getLocalName(),
        kind,
        Byte.toUnsignedInt(status.getStoragePolicy()),
        file.orElse(null));
  }

  @Override
  public boolean has(String directory, Predicate<FileView> test) throws IOException {
    Deque<String> directories = new ArrayDeque<>(List.of(directory));
    while (!directories.isEmpty()) {
      String at = directories.pop();
      Children children = look(at);
      if (children.isRefused() || children.all().isEmpty() && at.equals(directory)) {
        return true;
      }
      for (Child child : children.all().orElse(List.of())) {
        boolean isFound =
            child.kind() == Child.Kind.OPEN
                || child.kind() == Child.Kind.FILE && test.test(child.file());
        if (isFound) {
          return true;
        }
        if (child.kind() == Child.Kind.DIRECTORY) {
          directories.push(FileTree.childOf(at, child.name()));
        }
      }
    }
    return false;
  }

  /** Hears of a path and the id of its storage policy. */
  @FunctionalInterface
  public interface PolicySink {
    void accept(String path, int policy) throws IOException;
  }

  /**
   * Each file and directory at or below the roots that has another storage policy in force than the directory that it is
   * in: HDFS doesn't say what is inherited.
   */
  public void ownPolicies(List<String> roots, Predicate<String> ignored, PolicySink each)
      throws IOException {
    walk(
        roots,
        ignored,
        (path, policy, above) -> {
          if (policy != above) {
            each.accept(path, policy);
          }
        });
  }

  /** Hears of a path, and of the ids of the storage policies in force there and in the directory that it is in. */
  @FunctionalInterface
  public interface PathSink {
    void accept(String path, int policy, int above) throws IOException;
  }

  /** Each file and directory at or below the roots. A root that does not exist is passed over. */
  public void walk(List<String> roots, Predicate<String> ignored, PathSink each)
      throws IOException {
    Deque<Map.Entry<String, Integer>> directories = new ArrayDeque<>();
    for (String root : roots) {
      Optional<Place> place = ignored.test(root) ? Optional.empty() : place(root);
      String parent = root.substring(0, Math.max(1, root.lastIndexOf('/')));
      int above = root.equals("/") ? 0 : place(parent).map(Place::policy).orElse(0);
      if (place.isPresent()) {
        each.accept(root, place.get().policy(), above);
        if (place.get().isDirectory()) {
          directories.push(Map.entry(root, place.get().policy()));
        }
      }
    }
    while (!directories.isEmpty()) {
      Map.Entry<String, Integer> directory = directories.pop();
      pages(
          directory.getKey(),
          ignored,
          page -> {
            for (HdfsFileStatus status : page) {
              String path = status.getFullName(directory.getKey());
              int policy = Byte.toUnsignedInt(status.getStoragePolicy());
              each.accept(path, policy, directory.getValue());
              if (status.isDirectory()) {
                directories.push(Map.entry(path, policy));
              }
            }
          });
    }
  }

  /** Hears of a file and its replication factor. */
  @FunctionalInterface
  public interface FactorSink {
    void accept(String path, int factor) throws IOException;
  }

  /**
   * Each file below the roots that has a higher replication factor than the NameNode's default, or than another of the
   * files that are listed with it, some hundred of its directory.
   */
  public void moreReplicated(List<String> roots, Predicate<String> ignored, FactorSink each)
      throws IOException {
    int usual = client.getServerDefaults().getReplication();
    Deque<String> directories = new ArrayDeque<>(roots);
    while (!directories.isEmpty()) {
      String directory = directories.pop();
      pages(
          directory,
          ignored,
          page -> {
            List<HdfsFileStatus> files =
                page.stream()
                    .filter(file -> !file.isDirectory() && file.getErasureCodingPolicy() == null)
                    .toList();
            int least = files.stream().mapToInt(HdfsFileStatus::getReplication).min().orElse(usual);
            for (HdfsFileStatus file : files) {
              if (file.getReplication() > Math.min(least, usual)) {
                each.accept(file.getFullName(directory), file.getReplication());
              }
            }
            page.stream()
                .filter(HdfsFileStatus::isDirectory)
                .forEach(below -> directories.push(below.getFullName(directory)));
          });
    }
  }

  /** Hears of a part of a directory. */
  @FunctionalInterface
  private interface PartSink {
    void accept(List<HdfsFileStatus> part) throws IOException;
  }

  /** What is in a directory; nothing where that is gone. */
  private void pages(String directory, Predicate<String> ignored, PartSink each)
      throws IOException {
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    Page page;
    do {
      beforeLooking.run();
      page = list(directory, after, false);
      if (page.listing() == null) {
        return;
      }
      each.accept(
          Arrays.stream(page.statuses())
              .filter(status -> !ignored.test(status.getFullName(directory)))
              .toList());
      after = page.listing().getLastName();
    } while (page.hasMore());
  }

  /**
   * The storage policy in force on a file or directory; empty where nobody set one.
   *
   * @param names of all, by id
   * @throws FileNotFoundException where the path isn't there
   */
  public String storagePolicy(String path, Map<Integer, String> names) throws IOException {
    beforeLooking.run();
    HdfsFileStatus status = client.getFileInfo(path);
    if (status == null) {
      throw new FileNotFoundException(path + " is not there");
    }
    return names.getOrDefault((int) status.getStoragePolicy(), "");
  }

  @Override
  public Optional<Place> place(String path) throws IOException {
    beforeLooking.run();
    HdfsFileStatus status = client.getFileInfo(path);
    return status == null
        ? Optional.empty()
        : Optional.of(
            new Place(
                Byte.toUnsignedInt(status.getStoragePolicy()),
                status.isDirectory(),
                status.getErasureCodingPolicy() != null));
  }

  @Override
  public Map<Integer, String> storagePolicies() throws IOException {
    Map<Integer, String> names = new HashMap<>();
    for (BlockStoragePolicy policy : client.getStoragePolicies()) {
      names.put(Byte.toUnsignedInt(policy.getId()), policy.getName());
    }
    return names;
  }

  /**
   * The types that a storage policy has for so many replicas.
   *
   * @throws IOException also where there is no such policy
   */
  public List<StorageType> types(String policy, int replication) throws IOException {
    beforeLooking.run();
    for (BlockStoragePolicy each : client.getStoragePolicies()) {
      if (each.getName().equals(policy)) {
        return each.chooseStorageTypes((short) replication).stream()
            .map(HdfsReader::typeOf)
            .toList();
      }
    }
    throw new IOException("HDFS has no storage policy " + policy);
  }

  @Override
  public List<Directive> cacheDirectives(String pool) throws IOException {
    List<Directive> directives = new ArrayList<>();
    RemoteIterator<CacheDirectiveEntry> entries =
        client.listCacheDirectives(new CacheDirectiveInfo.Builder().setPool(pool).build());
    while (entries.hasNext()) {
      CacheDirectiveEntry entry = entries.next();
      if (!entry.getStats().hasExpired()) {
        directives.add(
            new Directive(
                entry.getInfo().getId(),
                entry.getInfo().getPath().toUri().getPath(),
                entry.getInfo().getReplication(),
                entry.getInfo().getExpiration().getMillis(),
                entry.getStats().getBytesNeeded(),
                entry.getStats().getBytesCached()));
      }
    }
    return directives;
  }

  @Override
  public Optional<FileView> file(String path) throws IOException {
    beforeLooking.run();
    try {
      HdfsLocatedFileStatus status = client.getLocatedFileInfo(path, false);
      return status == null ? Optional.empty() : view(path, status);
    } catch (AccessControlException e) {
      return Optional.empty();
    }
  }

  /**
   * Files as they are now, by path; one that is gone, open for write, not ours to move or to see is not among them. Those of a
   * directory come from its listing, some hundred in a call, as long as that has many of them.
   */
  public Map<String, FileView> files(Collection<String> paths) throws IOException {
    Map<String, NavigableSet<String>> names = new HashMap<>();
    for (String path : paths) {
      int slash = path.lastIndexOf('/');
      names
          .computeIfAbsent(path.substring(0, slash), directory -> new TreeSet<>())
          .add(path.substring(slash + 1));
    }
    Map<String, FileView> files = new HashMap<>();
    for (Map.Entry<String, NavigableSet<String>> each : names.entrySet()) {
      String directory = each.getKey();
      NavigableSet<String> left = each.getValue();
      int found = WORTH_A_LISTING;
      while (left.size() >= WORTH_A_LISTING && found >= WORTH_A_LISTING) {
        String first = left.pollFirst();
        String path = directory + "/" + first;
        file(path).ifPresent(file -> files.put(path, file));
        found = listBehind(directory, first, left, files);
      }
      for (String name : left) {
        String path = directory + "/" + name;
        file(path).ifPresent(file -> files.put(path, file));
      }
    }
    return files;
  }

  /** Takes those names from the set that one page of a listing has, and tells how many these are. */
  private int listBehind(
      String directory, String name, Set<String> names, Map<String, FileView> files)
      throws IOException {
    beforeLooking.run();
    Page page =
        list(directory.isEmpty() ? "/" : directory, name.getBytes(StandardCharsets.UTF_8), true);
    int found = 0;
    for (HdfsFileStatus status : page.statuses()) {
      if (names.remove(status.getLocalName())) {
        String path = directory + "/" + status.getLocalName();
        view(path, status).ifPresent(file -> files.put(path, file));
        found++;
      }
    }
    return found;
  }

  private static Optional<FileView> view(String path, HdfsFileStatus status) {
    // Symlinks have no blocks.
    if (!(status instanceof HdfsLocatedFileStatus located)
        || status.isSymlink()
        || located.getLocatedBlocks() == null
        || located.getLocatedBlocks().isUnderConstruction()) {
      return Optional.empty();
    }
    ErasureCodingPolicy policy = status.getErasureCodingPolicy();
    List<FileView.Block> blocks = new ArrayList<>();
    for (LocatedBlock block : located.getLocatedBlocks().getLocatedBlocks()) {
      List<FileView.Replica> replicas = new ArrayList<>();
      for (DatanodeInfo node : block.getLocations()) {
        DatanodeInfoWithStorage storage = (DatanodeInfoWithStorage) node;
        StorageType type = typeOf(storage.getStorageType());
        if (type == null) {
          return Optional.empty();
        }
        replicas.add(new FileView.Replica(storage.getDatanodeUuid(), storage.getStorageID(), type));
      }
      if (policy == null) {
        blocks.add(block(block, block.getBlock().getBlockId(), block.getBlockSize(), replicas));
      } else {
        addInternalBlocks((LocatedStripedBlock) block, policy, replicas, blocks);
      }
    }
    return Optional.of(
        new FileView(
            path,
            policy == null
                ? located.getLen()
                : blocks.stream().mapToLong(FileView.Block::length).sum(),
            located.getReplication(),
            Byte.toUnsignedInt(located.getStoragePolicy()),
            blocks,
            located.getOwner(),
            policy == null
                ? null
                : new FileView.Coding(policy.getNumDataUnits(), policy.getNumParityUnits()),
            located.getGroup(),
            new FileView.Times(located.getModificationTime(), located.getAccessTime())));
  }

  /** Those of a group that have bytes; one without a live replica too. */
  private static void addInternalBlocks(
      LocatedStripedBlock group,
      ErasureCodingPolicy policy,
      List<FileView.Replica> replicas,
      List<FileView.Block> blocks) {
    byte[] indices = group.getBlockIndices();
    for (int index = 0; index < policy.getNumDataUnits() + policy.getNumParityUnits(); index++) {
      long length = StripedBlockUtil.getInternalBlockLength(group.getBlockSize(), policy, index);
      if (length > 0) {
        List<FileView.Replica> own = new ArrayList<>();
        for (int i = 0; i < replicas.size(); i++) {
          if (indices[i] == index) {
            own.add(replicas.get(i));
          }
        }
        blocks.add(block(group, group.getBlock().getBlockId() + index, length, own));
      }
    }
  }

  private static FileView.Block block(
      LocatedBlock located, long id, long length, List<FileView.Replica> replicas) {
    return new FileView.Block(
        located.getBlock().getBlockPoolId(),
        id,
        located.getBlock().getGenerationStamp(),
        length,
        replicas);
  }

  private static StorageType typeOf(org.apache.hadoop.fs.StorageType type) {
    return type == null ? null : StorageType.ofHadoopName(type.name());
  }
}
