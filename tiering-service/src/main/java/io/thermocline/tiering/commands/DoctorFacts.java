// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.app.cycle.RulesInForce;
import io.thermocline.tiering.cluster.DataNodeReport;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.Seen;
import io.thermocline.tiering.doctor.look.HdfsLook;
import io.thermocline.tiering.doctor.look.LocalLook;
import io.thermocline.tiering.doctor.look.ServedFile;
import io.thermocline.tiering.doctor.look.ServerLook;
import io.thermocline.tiering.ha.Leadership;
import io.thermocline.tiering.observe.LogGlob;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.HdfsConnection;
import io.thermocline.tiering.process.Superuser;
import io.thermocline.tiering.rules.PathRule;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.util.VersionInfo;

/** Gathers what checks look at, for one service's configuration. Stateless. */
final class DoctorFacts {

  private static final int PATIENCE_MILLIS = 3_000;

  private DoctorFacts() {}

  /**
   * What this host has of what the configuration names; touches none of it.
   *
   * @param directory of Hadoop's configuration; null: on the class path
   * @param hadoop what is in it
   */
  static Facts.Host host(
      ServiceConfig config, Path directory, Map<String, String> hadoop, Seen<Boolean> plugin) {
    List<Facts.LocalPath> paths = new ArrayList<>();
    if (directory != null) {
      String setting = "hdfs.configuration";
      paths.add(LocalLook.path(Facts.Use.CORE_SITE, setting, directory.resolve("core-site.xml")));
      paths.add(LocalLook.path(Facts.Use.HDFS_SITE, setting, directory.resolve("hdfs-site.xml")));
    }
    List<Facts.Sample> samples = new ArrayList<>();
    for (ServiceConfig.LogFile log : config.observe().auditLogs()) {
      paths.add(LocalLook.path(Facts.Use.AUDIT_LOG, "observe.auditLogs", log.path()));
    }
    for (LogGlob logs : config.observe().clientTraceLogs()) {
      paths.add(
          LocalLook.path(Facts.Use.CLIENT_TRACE_DIRECTORY, "observe.clientTraceLogs", logs.root()));
      traces(logs).forEach(paths::add);
    }
    ServiceConfig.Image image = config.observe().image();
    if (image != null && image.file() != null) {
      paths.add(LocalLook.path(Facts.Use.IMAGE, "observe.image.from", image.file()));
    }
    secrets(config).forEach((key, file) -> paths.add(LocalLook.path(Facts.Use.SECRET, key, file)));
    paths.add(LocalLook.path(Facts.Use.WRITTEN, "journal.directory", config.journal()));
    paths.add(LocalLook.path(Facts.Use.WRITTEN, "heat.checkpoint", config.checkpoint()));
    return new Facts.Host(
        hadoop,
        VersionInfo.getVersion(),
        plugin,
        paths,
        samples,
        ServedFile.read(config.checkpoint()));
  }

  /** Files by their keys. */
  private static Map<String, Path> secrets(ServiceConfig config) {
    Map<String, Path> files = new TreeMap<>();
    if (config.hdfs().kerberos() != null) {
      files.put("hdfs.kerberos.keytab", config.hdfs().kerberos().file());
    }
    ServiceConfig.Security security = config.api().security();
    if (security.tokens() != null) {
      files.put("api.tokens", security.tokens());
    }
    if (security.kerberos() != null) {
      files.put("api.kerberos.keytab", security.kerberos().file());
    }
    if (security.tls() != null) {
      files.put("api.tls.keyStore", security.tls().file());
      files.put("api.tls.passwordFile", security.tls().password());
    }
    files.values().removeIf(Objects::isNull);
    return files;
  }

  private static Stream<Facts.LocalPath> traces(LogGlob logs) {
    try {
      return logs.files().stream()
          .filter(Files::exists)
          .map(log -> LocalLook.path(Facts.Use.CLIENT_TRACE_LOG, "observe.clientTraceLogs", log));
    } catch (IOException e) {
      // That its directory can't be listed is seen there.
      return Stream.empty();
    }
  }

  private static Facts.Settings settings(ServiceConfig config, int dataNodes) {
    ServiceConfig.Observe observe = config.observe();
    boolean measured =
        observe.auditLogs().stream().allMatch(log -> log.web() != null)
            && (observe.kafka() == null || observe.kafka().isMeasured());
    return new Facts.Settings(
        config.act().changes(),
        config.act().backEnd() == ServiceConfig.Mover.SATISFIER,
        observe.auditLogs().size(),
        !observe.clientTraceLogs().isEmpty(),
        measured,
        config.decide().actions().limits().cache() != null,
        observe.zone(),
        config.act().limits().maxConcurrentCopiesPerNode(),
        config.decide().budget().in(dataNodes).bytes(),
        config.decide().tiers().keySet(),
        unreadFor(config),
        config.hints().isOn(),
        config.api().host() != null);
  }

  private static Optional<Duration> unreadFor(ServiceConfig config) {
    try {
      return RulesInForce.of(config).ruleSet().rules().stream()
          .map(PathRule::match)
          .flatMap(match -> match.unreadFor().stream())
          .min(Duration::compareTo);
    } catch (ConfigException e) {
      // Cannot happen: the file was read with the configuration, a moment ago.
      return Optional.empty();
    }
  }

  /** Everything: this host, HDFS, NameNodes, DataNodes and ZooKeeper. */
  static Facts gather(ServiceConfig config, Path directory, Configuration hadoop, Clock clock)
      throws IOException, InterruptedException {
    Map<String, String> conf = pairs(hadoop);
    Facts.Host paths = host(config, directory, conf, LocalLook.plugin(System.getenv()));
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    List<Facts.Sample> samples =
        paths.paths().stream()
            .filter(path -> path.use() == Facts.Use.AUDIT_LOG && path.readable())
            .map(path -> LocalLook.sample(path.path(), user))
            .toList();
    Facts.Host host =
        new Facts.Host(
            paths.conf(), paths.version(), paths.plugin(), paths.paths(), samples, paths.served());
    Configuration impatient = impatient(hadoop);
    ServerLook servers = new ServerLook(impatient, clock);
    List<URI> dataNodes = new ArrayList<>();
    List<Facts.Server> nameNodes =
        servers.ask(nameNodes(config, hadoop), ServerLook.Kind.NAME_NODE);
    Facts.Hdfs hdfs = hdfs(config, impatient, actedFor(nameNodes, user), dataNodes);
    return new Facts(
        settings(config, dataNodes.size()),
        host,
        hdfs,
        nameNodes,
        servers.ask(dataNodes, ServerLook.Kind.DATA_NODE),
        zooKeepers(conf, config.shared().election()));
  }

  /** Users for whom a user may act, of those that the NameNodes' configuration names. */
  private static Set<String> actedFor(List<Facts.Server> nameNodes, String user) {
    Set<String> users = new TreeSet<>();
    for (Facts.Server server : nameNodes) {
      server
          .conf()
          .value()
          .map(conf -> conf.getOrDefault("hadoop.proxyuser." + user + ".users", ""))
          .ifPresent(names -> users.addAll(StringUtils.getTrimmedStringCollection(names)));
    }
    users.remove("*");
    return users;
  }

  /**
   * @param others for whom this user may act, as far as the NameNodes' configuration names them
   * @param dataNodes gets their web addresses
   */
  private static Facts.Hdfs hdfs(
      ServiceConfig config, Configuration impatient, Set<String> others, List<URI> dataNodes)
      throws IOException, InterruptedException {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    try (DistributedFileSystem client = HdfsConnection.open(config.hdfs().nameNode(), impatient)) {
      HdfsLook look =
          new HdfsLook(
              client,
              user,
              Optional.ofNullable(config.hdfs().mover())
                  .<DataNodeReport.Source>map(
                      at -> Superuser.mover(config, Superuser.LOOKS)::reports));
      Facts.Hdfs hdfs = look.look(config.act().mutex(), config.manage().paths(), others);
      dataNodes.addAll(look.webs());
      return hdfs;
    } catch (IOException e) {
      return Facts.Hdfs.unreached(user, CommandLines.explain(e));
    }
  }

  /** An answer within seconds, or none: who asks sits in front of it. */
  private static Configuration impatient(Configuration hadoop) {
    Configuration impatient = new Configuration(hadoop);
    impatient.setInt("ipc.client.connect.max.retries", 1);
    impatient.setInt("ipc.client.connect.max.retries.on.timeouts", 1);
    impatient.setInt("ipc.client.connect.timeout", PATIENCE_MILLIS);
    impatient.setInt("dfs.client.failover.max.attempts", 4);
    return impatient;
  }

  static Map<String, String> pairs(Configuration hadoop) {
    Map<String, String> conf = new HashMap<>();
    hadoop.forEach(each -> conf.put(each.getKey(), hadoop.get(each.getKey())));
    return conf;
  }

  /** What NameNodes alone tell. */
  static List<Facts.Server> nameNodes(ServiceConfig config, Configuration hadoop, Clock clock)
      throws IOException, InterruptedException {
    return new ServerLook(impatient(hadoop), clock)
        .ask(nameNodes(config, hadoop), ServerLook.Kind.NAME_NODE);
  }

  /** As Hadoop's configuration has them where there are several, else as ours has. */
  private static List<URI> nameNodes(ServiceConfig config, Configuration hadoop)
      throws IOException {
    URI uri =
        config.hdfs().nameNode() != null
            ? config.hdfs().nameNode()
            : FileSystem.getDefaultUri(hadoop);
    String scheme = DFSUtil.getHttpClientScheme(hadoop);
    Map<String, InetSocketAddress> ours =
        DFSUtilClient.getHaNnRpcAddresses(hadoop).getOrDefault(uri.getAuthority(), Map.of());
    List<URI> webs = new ArrayList<>();
    if (ours.size() > 1) {
      for (InetSocketAddress address : ours.values()) {
        webs.add(DFSUtil.getInfoServer(address, hadoop, scheme));
      }
      return webs;
    }
    config.observe().auditLogs().stream()
        .map(ServiceConfig.LogFile::web)
        .filter(web -> web != null)
        .forEach(webs::add);
    if (config.observe().kafka() != null) {
      config.observe().kafka().webs().forEach(web -> webs.add(web.uri()));
    }
    if (webs.isEmpty() && uri.getHost() != null) {
      webs.add(DFSUtil.getInfoServerWithDefaultHost(uri.getHost(), hadoop, scheme));
    }
    return webs;
  }

  /** Those of the NameNodes' failover, and those that elect which service acts. */
  private static Map<String, Seen<Boolean>> zooKeepers(
      Map<String, String> conf, Leadership.Election election) {
    Map<String, Seen<Boolean>> reached = new TreeMap<>();
    Set<String> addresses = new TreeSet<>();
    for (String quorum :
        List.of(
            conf.getOrDefault("ha.zookeeper.quorum", ""),
            election == null ? "" : election.zooKeeper())) {
      Stream.of(quorum.trim().split("\\s*,\\s*"))
          .filter(address -> !address.isEmpty())
          .forEach(addresses::add);
    }
    for (String address : addresses) {
      int colon = address.lastIndexOf(':');
      try (Socket socket = new Socket()) {
        socket.connect(
            new InetSocketAddress(
                colon < 0 ? address : address.substring(0, colon),
                colon < 0 ? 2181 : Integer.parseInt(address.substring(colon + 1))),
            PATIENCE_MILLIS);
        reached.put(address, Seen.of(true));
      } catch (IOException | IllegalArgumentException e) {
        reached.put(address, Seen.not(String.valueOf(e.getMessage())));
      }
    }
    return reached;
  }
}
