// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveEntry;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolEntry;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;

/**
 * Actions on a real HDFS. Cache directives go to a pool of our own, which is made when it is needed first; one of that
 * name that belongs to somebody else is not touched, and neither is any directive but those that were made here, as other
 * superusers may put theirs into our pool. Thread-safe.
 */
public final class HdfsActionCalls implements ActionCalls {

  /** Whoever may see what is cached; directives are ours alone. */
  private static final FsPermission POOL_MODE = new FsPermission((short) 0755);

  private final DFSClient client;
  private final HdfsReader reader;

  /** Outside the budget. */
  private final HdfsReader atOnce;

  private final String user;
  private final Pool pool;
  private final OperationBudget budget;
  private final ActionMarks marks;

  /**
   * Where cache directives go.
   *
   * @param limit bytes that it may take of DataNodes' memory
   * @param ttl how long a directive holds
   */
  public record Pool(String name, long limit, Duration ttl) {}

  /**
   * @param user short name of ours
   * @param clock for marks on what is ours
   */
  public HdfsActionCalls(
      DFSClient client, String user, Pool pool, OperationBudget budget, InstantSource clock) {
    this.marks = new ActionMarks(client, clock, budget);
    this.client = client;
    this.budget = budget;
    this.reader = new HdfsReader(client, budget::take);
    this.atOnce = new HdfsReader(client);
    this.user = user;
    this.pool = pool;
  }

  @Override
  public void setReplication(String path, int factor) throws IOException {
    budget.take();
    budget.take();
    Optional<FileView> before = atOnce.file(path);
    set(path, before.map(FileView::replication).orElse(factor), factor);
  }

  @Override
  public void setReplication(String path, int factor, int planned) throws IOException {
    // Nothing waits between the look and the change.
    budget.take();
    budget.take();
    ActionCalls.requireFactor(planned, atOnce.file(path));
    set(path, planned, factor);
  }

  private void set(String path, int before, int factor) throws IOException {
    if (!client.setReplication(path, (short) factor)) {
      throw new IOException(path + " is no file any more");
    }
    marks.replicated(path, before, factor);
  }

  @Override
  public Marks marks(String path) throws IOException {
    return marks.read(path);
  }

  @Override
  public void unmarkReplication(String path) throws IOException {
    marks.removeReplication(path);
  }

  @Override
  public void cache(String path, int copies, Consumer<Directive> made) throws IOException {
    requirePool();
    budget.take();
    long id =
        client.addCacheDirective(
            new CacheDirectiveInfo.Builder()
                .setPath(new Path(path))
                .setPool(pool.name())
                .setReplication((short) copies)
                .setExpiration(CacheDirectiveInfo.Expiration.newRelative(pool.ttl().toMillis()))
                .build(),
            EnumSet.noneOf(CacheFlag.class));
    CacheDirectiveEntry found = directive(path, id);
    if (found == null) {
      throw new IOException("somebody removed our cache directive " + id + " at once");
    }
    Directive directive = as(found);
    made.accept(directive);
    marks.cached(path, directive);
  }

  @Override
  public void uncache(String path, Directive ours) throws IOException {
    CacheDirectiveEntry found = directive(path, ours.id());
    if (found != null && as(found).equals(ours)) {
      budget.take();
      client.removeCacheDirective(ours.id());
    }
    marks.uncached(path);
  }

  private static Directive as(CacheDirectiveEntry found) {
    CacheDirectiveInfo info = found.getInfo();
    return new Directive(info.getId(), info.getReplication(), info.getExpiration().getMillis());
  }

  @Override
  public Optional<Cached> cached(String path, Directive ours) throws IOException {
    CacheDirectiveEntry found = directive(path, ours.id());
    return found == null || !as(found).equals(ours) || found.getStats().hasExpired()
        ? Optional.empty()
        : Optional.of(
            new Cached(found.getStats().getBytesNeeded(), found.getStats().getBytesCached()));
  }

  @Override
  public boolean isAltered(String path, Directive ours) throws IOException {
    CacheDirectiveEntry found = directive(path, ours.id());
    return found != null && !as(found).equals(ours) && !found.getStats().hasExpired();
  }

  @Override
  public Optional<FileView> file(String path) throws IOException {
    return reader.file(path);
  }

  /** Null where it isn't one of the path in our pool, or any more. */
  private CacheDirectiveEntry directive(String path, long id) throws IOException {
    budget.take();
    RemoteIterator<CacheDirectiveEntry> directives =
        client.listCacheDirectives(
            new CacheDirectiveInfo.Builder().setPath(new Path(path)).setPool(pool.name()).build());
    while (directives.hasNext()) {
      CacheDirectiveEntry found = directives.next();
      if (found.getInfo().getId() == id) {
        return found;
      }
    }
    return null;
  }

  private void requirePool() throws IOException {
    budget.take();
    RemoteIterator<CachePoolEntry> pools = client.listCachePools();
    while (pools.hasNext()) {
      CachePoolInfo found = pools.next().getInfo();
      if (found.getPoolName().equals(pool.name())) {
        if (!user.equals(found.getOwnerName())) {
          throw new IOException(
              "the cache pool "
                  + pool.name()
                  + " belongs to "
                  + found.getOwnerName()
                  + ": give decide.actions.cache.pool another name");
        }
        return;
      }
    }
    budget.take();
    client.addCachePool(
        new CachePoolInfo(pool.name())
            .setOwnerName(user)
            // Else the user's primary group, and where the NameNode knows none it refuses.
            .setGroupName(user)
            .setMode(POOL_MODE)
            .setLimit(pool.limit())
            .setMaxRelativeExpiryMs(pool.ttl().toMillis()));
  }
}
