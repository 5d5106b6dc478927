// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.ha;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.security.auth.login.Configuration;
import org.apache.curator.RetryPolicy;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.SessionConnectionStateErrorPolicy;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.authentication.util.JaasConfiguration;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of several services acts, elected through ZooKeeper. Thread-safe.
 *
 * <p>ZooKeeper lets another one lead when our session has timed out, whatever we think of it. So what counts here is our
 * own clock: since when we know that the session lived, reckoned from before we asked. Two thirds of its timeout after that
 * we begin nothing more; after the whole of it we are not leader any more, and never again in this process.
 *
 * <p>Who leads changes a node of its own each time it asks. Where that stands still for as long as a leader would go on
 * acting, those who stand by know before the session's end that it is about to end, and can make ready.
 */
public final class Leadership implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
  private static final int RETRY_MILLIS = 1_000;
  private static final String JAAS_NAME = "thermocline-zookeeper";

  private final CuratorFramework client;
  private final LeaderLatch latch;
  private final String path;

  /** Beside the election's own nodes, whose watches a change would use up. */
  private final String sign;

  private final long timeoutNanos;
  private final LongSupplier nanos;
  private final ScheduledExecutorService asking =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "thermocline-leadership");
            thread.setDaemon(true);
            return thread;
          });
  private final Semaphore confirmations = new Semaphore(0);
  private final CountDownLatch lost = new CountDownLatch(1);
  private volatile long confirmedNanos;
  private volatile boolean leads;

  /** The last change of the sign that we saw, and when we saw it first. */
  private volatile Seen seen;

  /**
   * Where the election is.
   *
   * @param zooKeeper host:port,host:port
   * @param path that all services of one HDFS share
   * @param id of this one, for people
   * @param address where the others' callers reach this one's REST interface; null: nowhere
   * @param sessionTimeout how long a service that is gone keeps others from acting
   * @param login to ZooKeeper; null: none, and whoever reaches it may change the election
   */
  public record Election(
      String zooKeeper,
      String path,
      String id,
      URI address,
      Duration sessionTimeout,
      Login login) {}

  /**
   * A login by Kerberos (SASL). What is made then is its own alone.
   *
   * @param principal with {@code _HOST} for this host's name
   * @param servers the first part of the servers' principals, mostly "zookeeper"
   */
  public record Login(String principal, Path keytab, String servers) {}

  private record Seen(long change, long sinceNanos) {}

  /**
   * Stands for election.
   *
   * @param nanos monotonic
   */
  public Leadership(Election election, LongSupplier nanos) throws IOException {
    this.nanos = nanos;
    this.path = election.path();
    this.sign = signOf(election);
    this.seen = new Seen(-1, nanos.getAsLong());
    this.timeoutNanos = election.sessionTimeout().toNanos();
    this.confirmedNanos = nanos.getAsLong() - timeoutNanos;
    int timeout = Math.toIntExact(election.sessionTimeout().toMillis());
    this.client = client(election, new RetryForever(Math.max(100, timeout / 20)));
    client.getConnectionStateListenable().addListener((ignored, state) -> changed(state));
    this.latch = new LeaderLatch(client, path, toText(election));
    client.start();
    try {
      latch.start();
    } catch (Exception e) {
      client.close();
      throw new IOException("can't stand for election at " + election.zooKeeper(), e);
    }
    long every = Math.max(50, timeout / 10);
    asking.scheduleWithFixedDelay(this::ask, 0, every, TimeUnit.MILLISECONDS);
  }

  private static CuratorFramework client(Election election, RetryPolicy retries)
      throws IOException {
    int timeout = Math.toIntExact(election.sessionTimeout().toMillis());
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(election.zooKeeper())
            .sessionTimeoutMs(timeout)
            .connectionTimeoutMs(timeout)
            .retryPolicy(retries)
            // A connection that comes back within the session's time keeps its place.
            .connectionStateErrorPolicy(new SessionConnectionStateErrorPolicy());
    if (election.login() != null) {
      builder.zkClientConfig(logIn(election.login())).aclProvider(new CreatorOnly());
    }
    return builder.build();
  }

  /** How far {@link #remove} goes. */
  public enum Removing {
    /** It only looks. */
    LOOK,
    /** It only looks, and refuses where it couldn't remove. */
    CHECK,
    REMOVE
  }

  /**
   * Removes what elections left in ZooKeeper.
   *
   * @return the nodes there are
   * @throws IOException where a service stands for election, unless it only looks, or ZooKeeper doesn't answer
   */
  public static List<String> remove(Election election, Removing how) throws IOException {
    try (CuratorFramework client = client(election, new RetryOneTime(RETRY_MILLIS))) {
      client.start();
      List<String> nodes = new ArrayList<>();
      for (String node : List.of(election.path(), signOf(election))) {
        if (client.checkExists().forPath(node) != null) {
          nodes.add(node);
        }
      }
      if (how != Removing.LOOK
          && nodes.contains(election.path())
          && hasCandidates(client, election.path())) {
        throw new IOException(
            "a service stands for election at "
                + election.path()
                + " of ZooKeeper: stop all services first. ZooKeeper forgets one that was killed"
                + " after ha.sessionTimeout.");
      }
      for (String node : how == Removing.REMOVE ? nodes : List.<String>of()) {
        client.delete().quietly().forPath(node);
      }
      return nodes;
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("ZooKeeper at " + election.zooKeeper() + " doesn't answer: " + e, e);
    }
  }

  private static boolean hasCandidates(CuratorFramework client, String node) throws Exception {
    try {
      return !client.getChildren().forPath(node).isEmpty();
    } catch (KeeperException.NoNodeException e) {
      // ZooKeeper removes an empty one by itself.
      return false;
    }
  }

  private static String signOf(Election election) {
    return election.path() + "-sign";
  }

  /** ZooKeeper's client looks a login up by its name, in the process's JAAS configuration. */
  private static ZKClientConfig logIn(Login login) throws IOException {
    Configuration.setConfiguration(
        new JaasConfiguration(
            JAAS_NAME,
            SecurityUtil.getServerPrincipal(login.principal(), "0.0.0.0"),
            login.keytab().toString()));
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, JAAS_NAME);
    config.setProperty(ZKClientConfig.ZK_SASL_CLIENT_USERNAME, login.servers());
    return config;
  }

  /** Also for what is above the election's own nodes. */
  private static final class CreatorOnly implements ACLProvider {
    @Override
    public List<ACL> getDefaultAcl() {
      return ZooDefs.Ids.CREATOR_ALL_ACL;
    }

    @Override
    public List<ACL> getAclForPath(String node) {
      return getDefaultAcl();
    }
  }

  private void changed(ConnectionState state) {
    LOG.info("ZooKeeper: {}", state);
    if (state == ConnectionState.LOST) {
      lose("the session with ZooKeeper is over");
    }
  }

  /** Through the quorum's leader, which is who ends sessions. */
  private void ask() {
    long asked = nanos.getAsLong();
    loseWhereOver(asked);
    if (!client.getZookeeperClient().isConnected()) {
      return;
    }
    try {
      if (leads) {
        client
            .create()
            .orSetData()
            .inBackground((ignored, event) -> answered(event, asked))
            .forPath(sign, new byte[0]);
      } else {
        // Answers come in this order: we don't trust our session before we have seen the sign.
        client.checkExists().inBackground((ignored, event) -> seen(event, asked)).forPath(sign);
        client.sync().inBackground((ignored, event) -> answered(event, asked)).forPath(path);
      }
    } catch (Exception e) {
      LOG.debug("asking ZooKeeper failed, trying again", e);
    }
  }

  private void answered(CuratorEvent event, long asked) {
    if (event.getResultCode() == KeeperException.Code.OK.intValue()) {
      confirmedNanos = Math.max(confirmedNanos, asked);
      confirmations.drainPermits();
      confirmations.release();
    }
  }

  private void seen(CuratorEvent event, long asked) {
    long change = event.getStat() == null ? -1 : event.getStat().getMzxid();
    if (change != seen.change()) {
      seen = new Seen(change, asked);
    }
  }

  /**
   * Whether another leads, or did, and has been silent for so long that it begins nothing any more. It may come back; until
   * its session is over it is the leader.
   */
  public boolean isLeaderSilent() {
    Seen last = seen;
    return !leads
        && isFresh()
        && last.change() >= 0
        && nanos.getAsLong() - last.sinceNanos() > timeoutNanos / 3 * 2;
  }

  private void lose(String why) {
    if (leads && lost.getCount() > 0) {
      LOG.error("not the leader any more: {}", why);
      lost.countDown();
    }
  }

  /** Waits to be the leader, and to be sure of it; false where that isn't so after the given time. */
  public boolean await(Duration atMost) throws InterruptedException {
    if (!latch.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      return false;
    }
    if (!isFresh()) {
      confirmations.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }
    leads = isFresh();
    return leads;
  }

  private boolean isFresh() {
    return nanos.getAsLong() - confirmedNanos < timeoutNanos / 3 * 2;
  }

  /** Why another service may be the leader at this moment, in words; empty where none can. */
  public String objection() {
    if (isSure()) {
      return "";
    }
    return isFresh()
        ? "it isn't sure that no other service acts"
        : "ZooKeeper hasn't confirmed for "
            + TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - confirmedNanos)
            + " s that this service leads";
  }

  /** What a service that doesn't lead waits for, in words. */
  public String waitsFor() {
    return isFresh()
        ? "another service acts"
        : "ZooKeeper doesn't answer: it isn't known which service acts";
  }

  /** Whether no other service can be the leader at this moment, with a third of the timeout to spare. */
  public boolean isSure() {
    return leads && lost.getCount() > 0 && latch.hasLeadership() && isFresh();
  }

  /** Whether we were the leader and are not any more: for good. */
  public boolean isLost() {
    loseWhereOver(nanos.getAsLong());
    return lost.getCount() == 0;
  }

  private void loseWhereOver(long now) {
    if (leads && now - confirmedNanos > timeoutNanos) {
      lose("ZooKeeper hasn't answered for " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms");
    }
  }

  /** Who leads, by its id; empty where nobody does, or ZooKeeper can't be asked. */
  public String leader() {
    return leaderText().replaceFirst(" .*", "");
  }

  /** Where the leader's REST interface is reached; empty where it doesn't say, or isn't known. */
  public Optional<URI> leaderAddress() {
    String text = leaderText();
    int blank = text.indexOf(' ');
    try {
      return blank < 0 ? Optional.empty() : Optional.of(URI.create(text.substring(blank + 1)));
    } catch (IllegalArgumentException e) {
      LOG.warn("the leader's address is none: {}", text);
      return Optional.empty();
    }
  }

  /** What the others see of one: its id, which has no blank, and its address. */
  private static String toText(Election election) {
    return election.address() == null ? election.id() : election.id() + " " + election.address();
  }

  private String leaderText() {
    try {
      return client.getZookeeperClient().isConnected() ? latch.getLeader().getId() : "";
    } catch (Exception e) {
      LOG.debug("the leader isn't known", e);
      return "";
    }
  }

  /** Gives the leadership up, so that another has it at once. */
  @Override
  public void close() throws IOException {
    asking.shutdownNow();
    try {
      latch.close();
    } finally {
      client.close();
    }
  }
}
