// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.act.HintAttributes;
import io.thermocline.tiering.app.hints.HintTracker;
import io.thermocline.tiering.app.records.JournaledHints;
import io.thermocline.tiering.cluster.AttributeReader;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.journal.Journal;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.authorize.AuthorizationException;

/** Files of one owner with their attributes, as far as HDFS is asked about hints; and what asks it. */
public final class HintedFiles implements HintAttributes, Closeable {

  public static final String OWNER = "etl";
  public static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  /** Attributes by path below /w; a file's inode is what {@link #inode} says. */
  public final Map<String, Map<String, byte[]>> files = new TreeMap<>();

  /** Paths that HDFS was asked for, in order. */
  public final List<String> asked = new ArrayList<>();

  private final ServiceConfig config;
  private final Journal journal;
  private final DFSClient client;

  /** Whether the service may change anything. */
  public boolean mayBegin = true;

  /** What HDFS has against a path, by the path. */
  public final Map<String, IOException> refusals = new HashMap<>();

  /** Whom HDFS lets nobody act for. */
  public final Set<String> writers = new HashSet<>(Set.of(OWNER));

  public final Set<String> notToBeActedFor = new HashSet<>();

  /** Whether it is in safe mode. */
  public boolean isSafe;

  /** What the clock shows. */
  public Instant now = NOW;

  /** How long HDFS takes to tell of a file. */
  public Duration takes = Duration.ZERO;

  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return now;
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }
      };

  /**
   * @param operations that one owner may have in force
   */
  public HintedFiles(Path directory, int operations) throws IOException, ConfigException {
    this(directory, operations, "");
  }

  /**
   * @param more of the service's configuration
   */
  HintedFiles(Path directory, int operations, String more) throws IOException, ConfigException {
    Path file =
        Files.writeString(
            directory.resolve("thermocline.yaml"),
            """
            observe: {auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]}
            manage: {paths: [/w]}
            hints: {enabled: on, operationsPerOwner: %d, scanPerPlan: 4}
            journal: {directory: /var/lib/thermocline}
            %s
            """
                .formatted(operations, more));
    config = ServiceConfigFile.read(file);
    journal = Journal.open(directory.resolve("journal"));
    ClientProtocol nameNode =
        (ClientProtocol)
            Proxy.newProxyInstance(
                ClientProtocol.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class, Closeable.class},
                (proxy, method, arguments) -> answer(method.getName(), arguments));
    client = new DFSClient(null, nameNode, new Configuration(false), null);
  }

  /** A tracker that begins with what the journal has. */
  public HintTracker tracker() {
    return tracker(hands());
  }

  /** One that changes nothing in HDFS. */
  public HintTracker shadowReconciler() {
    return tracker(new HintTracker.Hands(new AttributeReader(client), null, clock));
  }

  private HintTracker tracker(HintTracker.Hands hands) {
    return HintTracker.open(
        config,
        new Heat(new HeatSettings(Duration.ofHours(1), 1 << 16, 100, 100, 100), "ns"),
        hands,
        journal,
        new JournaledHints(journal::append, clock));
  }

  /** Nothing can be recorded from now on. */
  void endJournal() throws IOException {
    journal.close();
  }

  HdfsHintService hintService(HintTracker tracker) {
    return new HdfsHintService(tracker, hands(), config, () -> {});
  }

  private HintTracker.Hands hands() {
    return new HintTracker.Hands(new AttributeReader(client), this, clock, () -> mayBegin);
  }

  /** Of the file at that path. */
  public static long inode(String path) {
    return path.hashCode();
  }

  private Object answer(String call, Object... arguments) throws IOException {
    if (call.equals("getFileInfo")) {
      asked.add(arguments[0].toString());
      now = now.plus(takes);
    }
    if (call.equals("getXAttrs") && refusals.containsKey(arguments[0].toString())) {
      throw refusals.get(arguments[0].toString());
    }
    return switch (call) {
      case "getFileInfo" ->
          files.containsKey(arguments[0].toString())
              ? new HdfsFileStatus.Builder()
                  .fileId(inode(arguments[0].toString()))
                  .owner(OWNER)
                  .path(arguments[0].toString().getBytes(StandardCharsets.UTF_8))
                  .build()
              : null;
      case "getXAttrs" ->
          files.get(arguments[0].toString()).entrySet().stream()
              .map(each -> XAttrHelper.buildXAttr(each.getKey(), each.getValue()))
              .toList();
      case "close" -> null;
      default -> throw new UnsupportedOperationException(call + List.of(arguments));
    };
  }

  @Override
  public Caller as(String user) {
    return new Caller() {
      @Override
      public boolean mayHint(String path) throws IOException {
        if (notToBeActedFor.contains(user)) {
          throw new RemoteException(
              AuthorizationException.class.getName(),
              "User: thermocline is not allowed to impersonate " + user);
        }
        return writers.contains(user);
      }

      @Override
      public void set(String path, String name, byte[] value) {
        files.computeIfAbsent(path, first -> new HashMap<>()).put(name, value);
      }

      @Override
      public void remove(String path, String name) throws IOException {
        HintedFiles.this.remove(path, name);
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }

  @Override
  public void remove(String path, String name) throws IOException {
    if (isSafe) {
      throw new RemoteException(SafeModeException.class.getName(), "Name node is in safe mode");
    }
    files.get(path).remove(name);
  }

  @Override
  public void close() throws IOException {
    client.close();
    journal.close();
  }
}
