// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import io.thermocline.testbed.device.DeviceBoard;
import io.thermocline.testbed.device.DeviceProfiles;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * An HDFS in this process: a real NameNode and real DataNodes, whose devices are as slow as their
 * storage type says. Thread-safe.
 *
 * <p>Made first and started later, so that a shutdown hook can hold it meanwhile:
 *
 * <pre>
 * created --start--&gt; starting --&gt; running --close--&gt; closed
 *    |                  |                              ^
 *    +------close-------+------- close, failure -------+
 * </pre>
 *
 * <p>Closing is possible at any moment, from any thread and repeatedly. When it returns, the servers
 * are stopped, the clients closed, and the cluster's directory is gone.
 */
public final class EmbeddedCluster implements AutoCloseable {

  private enum State {
    CREATED,
    STARTING,
    RUNNING,
    FAILED,
    CLOSING,
    CLOSED
  }

  private final ClusterLayout layout;
  private final Path directory;
  private final List<Path> resources;
  private final Optional<Path> logFragment;
  private final DeviceBoard devices;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private State state = State.CREATED;
  private boolean closeWanted;

  // Written by the starting thread only, read by the closing one after the state changed.
  private Configuration conf;
  private AuditLogging auditLogging;
  private EmbeddedServers servers;

  private final Queue<DistributedFileSystem> clients = new ConcurrentLinkedQueue<>();
  private DistributedFileSystem superuserClient;

  private EmbeddedCluster(Builder builder) throws IOException {
    this.layout = builder.layout;
    this.resources = List.copyOf(builder.resources);
    this.logFragment = builder.logFragment;
    this.devices = builder.devices;
    Files.createDirectories(builder.parent);
    this.directory = Files.createTempDirectory(builder.parent, "cluster-").toAbsolutePath();
  }

  /** A cluster under {@link ClusterLayout#demo()}, in the directory given. */
  public static Builder builder(Path parent) {
    return new Builder(parent);
  }

  /**
   * Starts the servers and returns when all DataNodes have reported; takes some seconds.
   *
   * @throws IOException if a server doesn't start or the cluster is closed meanwhile; then it is
   *     closed
   * @throws IllegalStateException if it was started or closed before
   */
  public void start() throws IOException {
    move(State.CREATED, State.STARTING);
    try {
      startServers();
    } catch (IOException | RuntimeException | Error e) {
      settle(State.FAILED);
      try {
        close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    settle(State.RUNNING);
    if (isCloseWanted()) {
      throw new IOException("The cluster was closed while it started");
    }
  }

  /** A copy of the Configuration that clients of this cluster use. */
  public Configuration configuration() {
    requireRunning();
    return new Configuration(conf);
  }

  public URI uri() {
    requireRunning();
    return servers.uri();
  }

  /** The web address of the NameNode, which serves its image there. */
  public URI web() {
    requireRunning();
    return servers.web();
  }

  /** Ends a DataNode, which the NameNode takes for live for ten minutes. */
  public void stopDataNode(int node) {
    requireRunning();
    servers.stop(node);
  }

  /** The superuser's client, the same at each call. Don't close it. */
  public DistributedFileSystem fileSystem() throws IOException {
    requireRunning();
    synchronized (clients) {
      if (superuserClient == null) {
        superuserClient = connect();
      }
      return superuserClient;
    }
  }

  /** A new client with its own connection, for an ordinary user. Closing it early is allowed. */
  public DistributedFileSystem fileSystem(String user) throws IOException {
    requireRunning();
    try {
      return UserGroupInformation.createRemoteUser(user)
          .doAs((PrivilegedExceptionAction<DistributedFileSystem>) this::connect);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("Interrupted in connecting").initCause(e);
    }
  }

  public ClusterLayout layout() {
    return layout;
  }

  public DeviceBoard devices() {
    return devices;
  }

  /** The directory that holds all files of this cluster until it is closed. */
  public Path directory() {
    return directory;
  }

  /** Where Hadoop's daemons would log, the value of hadoop.log.dir. */
  public Path logDirectory() {
    return directory.resolve("logs");
  }

  /** The NameNode's audit log; written only if the log4j fragment sends it there. */
  public Path auditLog() {
    return logDirectory().resolve(AuditLogging.FILE);
  }

  /**
   * Stops everything and deletes the directory. Waits for a start that is under way, and for another
   * thread that is closing.
   */
  @Override
  public void close() {
    if (beginClosing()) {
      try {
        release();
      } finally {
        settle(State.CLOSED);
      }
    }
  }

  private void startServers() throws IOException {
    Files.createDirectories(logDirectory());
    if (logFragment.isPresent()) {
      auditLogging = AuditLogging.configure(logFragment.get(), logDirectory());
    }
    conf = ClusterConfiguration.of(layout, devices, resources);
    // Both are static in Hadoop: a cluster started earlier in this process has left its own there.
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
    UserGroupInformation.setConfiguration(conf);
    servers = EmbeddedServers.start(conf, layout, directory.resolve("hdfs"));
  }

  private DistributedFileSystem connect() throws IOException {
    DistributedFileSystem client =
        (DistributedFileSystem) FileSystem.newInstance(servers.uri(), conf);
    clients.add(client);
    return client;
  }

  private void release() {
    Cleanup.quietenDyingProcess();
    devices.fullSpeed();
    for (DistributedFileSystem client : clients) {
      IOUtils.closeStream(client);
    }
    if (servers != null) {
      Cleanup.attempt("stop the servers", servers::shutdown);
      // Tests keep clusters in static fields; a NameNode that stays takes memory, and a bean's
      // name.
      servers = null;
    }
    if (auditLogging != null) {
      Cleanup.attempt("close the audit log", auditLogging::close);
    }
    devices.close();
    Directories.delete(directory);
  }

  private boolean beginClosing() {
    lock.lock();
    try {
      closeWanted = true;
      while (state == State.STARTING || state == State.CLOSING) {
        changed.awaitUninterruptibly();
      }
      if (state == State.CLOSED) {
        return false;
      }
      state = State.CLOSING;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isCloseWanted() {
    lock.lock();
    try {
      return closeWanted;
    } finally {
      lock.unlock();
    }
  }

  private void move(State from, State to) {
    lock.lock();
    try {
      if (state != from) {
        throw new IllegalStateException("The cluster is " + state + ", not " + from);
      }
      state = to;
    } finally {
      lock.unlock();
    }
  }

  private void settle(State to) {
    lock.lock();
    try {
      state = to;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void requireRunning() {
    lock.lock();
    try {
      if (state != State.RUNNING) {
        throw new IllegalStateException("The cluster is " + state + ", not running");
      }
    } finally {
      lock.unlock();
    }
  }

  /** What a cluster is made of. For one thread. */
  public static final class Builder {
    private final Path parent;
    private final List<Path> resources = new ArrayList<>();
    private ClusterLayout layout = ClusterLayout.demo();
    private Optional<Path> logFragment = Optional.empty();
    private DeviceBoard devices;

    private Builder(Path parent) {
      this.parent = parent;
    }

    public Builder layout(ClusterLayout value) {
      layout = value;
      return this;
    }

    /** A Hadoop configuration file, loaded as it is, after the testbed's own settings. */
    public Builder resource(Path file) {
      resources.add(file);
      return this;
    }

    /** The log4j properties of the audit log, loaded as they are. */
    public Builder logFragment(Path file) {
      logFragment = Optional.of(file);
      return this;
    }

    /** The board of the devices, which the cluster closes; SUORA's table 4 by default. */
    public Builder devices(DeviceBoard board) {
      devices = board;
      return this;
    }

    /**
     * A cluster that holds a new directory under the parent, but isn't started.
     *
     * @throws IOException if the directory can't be made
     */
    public EmbeddedCluster create() throws IOException {
      if (devices == null) {
        devices = DeviceBoard.open(DeviceProfiles.table4());
      }
      return new EmbeddedCluster(this);
    }
  }
}
