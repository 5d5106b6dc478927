// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.datatransfer.TrustedChannelResolver;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataTransferSaslUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferClient;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.balancer.KeyManager;
import org.apache.hadoop.hdfs.server.balancer.NameNodeConnector;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves single replicas through the protocol that Hadoop's Balancer and Mover use: replaceBlock
 * to the target DataNode, which copies from the source and tells the NameNode which copy to
 * drop. Hadoop's own connector, keys and SASL handshake, so block tokens and encrypted transfer
 * hold.
 *
 * <p>Needs the HDFS superuser, as the Balancer does: the NameNode gives block keys to nobody
 * else. A file in HDFS, held open, keeps a second mover of ours away. Thread-safe.
 */
public final class DirectedMoves implements MutexCalls {

  private static final Logger LOG = LoggerFactory.getLogger(DirectedMoves.class);

  private static final int CONNECT_MILLIS = 10_000;

  /** Of each answer of the handshake that authenticates and encrypts. */
  private static final int HANDSHAKE_MILLIS = 20_000;

  /**
   * Times what a DataNode waits for the one that it copies from: that one's silence it reports itself, and while it copies, that
   * it goes on, each half of that time (BlockReceiver of Hadoop 3.3.6 to 3.5.0).
   */
  private static final double ANSWER_FACTOR = 1.25;

  private static final String NAME = "Thermocline";

  private final NameNodeConnector connector;
  private final BlockKeys keys;
  private final DFSClient client;
  private final HdfsReader reader;

  /** Outside the budget. */
  private final HdfsReader atOnce;

  private final Map<Integer, String> policyNames;
  private final SaslDataTransferClient sasl;
  private final boolean viaHostname;
  private final int answerMillis;
  private final DataNodeAddresses addresses;
  private final OperationBudget budget;
  private final EditLog edits;

  /** Null where nothing is marked. */
  private final PolicyMarks marks;

  private final Path mutex;

  /** Of the file that we made. */
  private final long mutexId;

  /**
   * @param nameNode which NameNode or nameservice
   * @param mutex path in HDFS of the file that keeps a second mover away
   * @throws MutexRecoveryException where the mutex is being taken from one that was killed
   * @throws IOException also where another mover holds the mutex, or we are not superuser
   */
  public DirectedMoves(URI nameNode, Path mutex, Configuration conf) throws IOException {
    this(nameNode, mutex, conf, OperationBudget.unlimited());
  }

  /** As who follows nobody. */
  public DirectedMoves(URI nameNode, Path mutex, Configuration conf, OperationBudget budget)
      throws IOException {
    this(nameNode, mutex, conf, budget, MutexHolder.alone(0, NetUtils.getLocalHostname()), null);
  }

  /**
   * @param budget of the NameNode calls made here
   * @param holder who we are
   * @param clock for marks on what has a policy of ours; null: no marks
   */
  public DirectedMoves(
      URI nameNode,
      Path mutex,
      Configuration conf,
      OperationBudget budget,
      MutexHolder holder,
      InstantSource clock)
      throws IOException {
    this.budget = budget;
    this.connector = connect(nameNode, mutex, conf, holder, budget);
    this.keys = new BlockKeys(connector, conf);
    DistributedFileSystem fileSystem = connector.getDistributedFileSystem();
    this.client = fileSystem.getClient();
    this.marks = clock == null ? null : new PolicyMarks(client, clock, budget);
    this.mutex = mutex;
    this.mutexId = fileSystem.getClient().getFileInfo(mutex.toUri().getPath()).getFileId();
    holder.writeTo(fileSystem, mutex, budget);
    this.edits = new EditLog(connector.getNNProtocolConnection(), fileSystem, conf);
    this.reader = new HdfsReader(client, budget::take);
    this.atOnce = new HdfsReader(client);
    this.policyNames = reader.storagePolicies();
    this.addresses =
        new DataNodeAddresses(
            () -> {
              budget.take();
              return client.datanodeReport(HdfsConstants.DatanodeReportType.LIVE);
            });
    this.sasl =
        new SaslDataTransferClient(
            conf,
            DataTransferSaslUtil.getSaslPropertiesResolver(conf),
            TrustedChannelResolver.getInstance(conf),
            connector.getFallbackToSimpleAuth());
    this.answerMillis =
        (int)
            (ANSWER_FACTOR
                * conf.getInt(
                    HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY,
                    HdfsConstants.READ_TIMEOUT));
    this.viaHostname =
        conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
  }

  private static NameNodeConnector connect(
      URI nameNode, Path mutex, Configuration conf, MutexHolder holder, OperationBudget budget)
      throws IOException {
    try (DistributedFileSystem hdfs =
        (DistributedFileSystem) FileSystem.newInstance(nameNode, conf)) {
      holder.takeOver(hdfs, mutex, budget);
      try {
        return NameNodeConnector.newNameNodeConnectors(
                List.of(nameNode), NAME, mutex, conf, NameNodeConnector.DEFAULT_MAX_IDLE_ITERATIONS)
            .get(0);
      } catch (RemoteException e) {
        if (e.unwrapRemoteException() instanceof RecoveryInProgressException) {
          throw new MutexRecoveryException(mutex.toUri().getPath(), e);
        }
        throw e;
      } catch (IOException e) {
        if (("Another " + NAME + " is running.").equals(e.getMessage())) {
          throw MutexHolder.held(hdfs, mutex, MutexHolder.of(hdfs, mutex, budget), e);
        }
        throw e;
      }
    }
  }

  @Override
  public void setStoragePolicy(String path, String policy) throws IOException {
    budget.take();
    set(path, policy, policy);
  }

  @Override
  public Optional<PolicyMarks.Mark> mark(String path) throws IOException {
    return marks == null ? Optional.empty() : marks.read(path);
  }

  @Override
  public void unmark(String path) throws IOException {
    if (marks != null) {
      marks.remove(path);
    }
  }

  @Override
  public void setStoragePolicy(String path, String policy, FileView planned) throws IOException {
    // Nothing waits between the look and the change.
    budget.take();
    budget.take();
    MoveCheck.requireUnchanged(planned, atOnce.file(planned.path()));
    set(path, policy, policy);
  }

  @Override
  public void setStoragePolicy(String path, String policy, Own own) throws IOException {
    budget.take();
    budget.take();
    budget.take();
    own.requireUnchanged(
        own.block() == 0 ? null : atOnce.file(path), atOnce.storagePolicy(path, policyNames));
    set(path, policy, "");
  }

  /**
   * @param mark which policy is ours; empty: none
   */
  private void set(String path, String policy, String mark) throws IOException {
    if (policy.isEmpty()) {
      client.unsetStoragePolicy(path);
    } else {
      client.setStoragePolicy(path, policy);
    }
    if (marks != null) {
      marks.set(path, mark);
    }
  }

  @Override
  public String storagePolicy(String path) throws IOException {
    return reader.storagePolicy(path, policyNames);
  }

  @Override
  public Optional<FileView> file(String path) throws IOException {
    return reader.file(path);
  }

  @Override
  public Map<String, FileView> files(Collection<String> paths) throws IOException {
    return reader.files(paths);
  }

  @Override
  public Optional<Map<String, List<LayoutEdit>>> layoutEdits(Set<String> paths) throws IOException {
    budget.take();
    return Optional.of(edits.of(paths, policyNames));
  }

  @Override
  public String rack(String node) throws IOException {
    return addresses.of(node).getNetworkLocation();
  }

  @Override
  public String host(String node) {
    return addresses.host(node);
  }

  @Override
  public void copy(Move move) throws IOException {
    copy(move, phase -> {});
  }

  @Override
  public void copy(Move move, Consumer<String> progress) throws IOException {
    KeyManager used = keys.now();
    try {
      copy(
          move,
          addresses.of(move.source().node()),
          addresses.of(move.targetNode()),
          used,
          progress);
    } catch (BusyDataNodeException e) {
      throw e;
    } catch (IOException e) {
      // Whichever of the two: the target alone knows whether it reached the source.
      addresses.forget(List.of(move.source().node(), move.targetNode()));
      renewKeys(used, e);
      throw e;
    }
  }

  /** Whatever failed: that keys are old shows in many ways, by what protects the transfer. */
  private void renewKeys(KeyManager used, IOException failure) {
    try {
      budget.take();
      keys.renew(used);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private void copy(
      Move move,
      DatanodeInfo source,
      DatanodeInfo target,
      KeyManager used,
      Consumer<String> progress)
      throws IOException {
    AtomicReference<String> phase = new AtomicReference<>("");
    Consumer<String> told =
        text -> {
          phase.set(text);
          progress.accept(text);
        };
    try (Socket socket = new Socket()) {
      CopyTime.of(move.bytes())
          .bound(socket, phase::get, () -> copy(move, source, target, used, socket, told));
    } catch (SocketTimeoutException e) {
      throw (IOException)
          new SocketTimeoutException(phase + ": no answer in time: " + e.getMessage()).initCause(e);
    }
  }

  private void copy(
      Move move,
      DatanodeInfo source,
      DatanodeInfo target,
      KeyManager used,
      Socket socket,
      Consumer<String> progress)
      throws IOException {
    ExtendedBlock block =
        new ExtendedBlock(
            move.block().poolId(),
            move.block().id(),
            move.block().length(),
            move.block().generation());
    StorageType type = StorageType.valueOf(move.targetType().name());
    Token<BlockTokenIdentifier> token =
        used.getAccessToken(block, new StorageType[] {type}, new String[0]);
    String name = target.getHostName() + ":" + target.getXferPort();
    progress.accept("connecting to DataNode " + name);
    socket.connect(NetUtils.createSocketAddr(target.getXferAddr(viaHostname)), CONNECT_MILLIS);
    progress.accept("shaking hands with DataNode " + name);
    socket.setSoTimeout(HANDSHAKE_MILLIS);
    socket.setKeepAlive(true);
    IOStreamPair streams =
        sasl.socketSend(
            socket, socket.getOutputStream(), socket.getInputStream(), used, token, target);
    DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(streams.out, DFSConfigKeys.IO_FILE_BUFFER_SIZE_DEFAULT));
    // Stock volume choosing policies ignore the storage, NominatedVolumeChoosingPolicy takes it.
    new Sender(out)
        .replaceBlock(block, type, token, source.getDatanodeUuid(), source, move.targetStorage());
    out.flush();
    String copying = "waiting for DataNode " + name + " to copy from " + source.getHostName();
    progress.accept(copying);
    socket.setSoTimeout(answerMillis);
    awaitCopy(new DataInputStream(streams.in), progress, copying);
  }

  static void awaitCopy(DataInputStream in, Consumer<String> progress, String phase)
      throws IOException {
    BlockOpResponseProto response;
    do {
      response = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
      progress.accept(phase);
    } while (response.getStatus() == Status.IN_PROGRESS);
    if (response.getMessage().contains("quota is exceeded")) {
      throw new BusyDataNodeException(response.getMessage());
    }
    if (response.getStatus() != Status.SUCCESS) {
      throw new IOException(
          "the DataNode answered " + response.getStatus() + ": " + response.getMessage());
    }
  }

  /** Gives up the mutex, unless it is somebody else's by now. Copies under way go on inside the DataNodes. */
  @Override
  public void close() {
    keys.close();
    boolean isOurs = false;
    try {
      isOurs = hasMutex();
    } catch (IOException e) {
      LOG.warn("{} stays: whose it is can't be asked", mutex, e);
    }
    if (isOurs) {
      connector.close();
    } else {
      leave();
    }
  }

  @Override
  public void leave() {
    keys.close();
    // The connector and its client would delete the file of whoever acts in our place.
    connector.getDistributedFileSystem().cancelDeleteOnExit(mutex);
  }

  @Override
  public boolean hasMutex() throws IOException {
    HdfsLocatedFileStatus now = client.getLocatedFileInfo(mutex.toUri().getPath(), false);
    // Closed without us: HDFS ended our lease, and whoever asks next gets it.
    return now != null
        && now.getFileId() == mutexId
        && now.getLocatedBlocks().isUnderConstruction();
  }
}
