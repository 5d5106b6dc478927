// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import io.thermocline.dist.InstalledTree;
import io.thermocline.placement.hdfs.ThermoclinePlacementPolicy;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.ProcessCluster;
import io.thermocline.testbed.process.ProcessNode;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import io.thermocline.testbed.process.ZooKeeperEnsemble;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/**
 * A secure cluster of processes, ZooKeeper beside it, and a host on which the service is
 * installed.
 */
final class SecureSetting implements AutoCloseable {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();
  private static final Path DATA =
      Path.of(System.getProperty("test.build.data", "target/test-data")).toAbsolutePath();

  /** Whether the service is an ordinary user, beside a mover, or superuser itself. */
  static final boolean IS_MOVER_APART =
      !System.getProperty("secure.mover", "apart").equals("inside");

  /** Name and password of who may do everything in ZooKeeper. */
  static final String ZOOKEEPER_SUPERUSER = "super:" + UUID.randomUUID();

  private static final List<String> PEOPLE = List.of("alice", "ann", "vera", "eve", "hive", "root");

  private final Path temp;
  private final Map<String, UserGroupInformation> users = new HashMap<>();
  private SecureSite site;
  private HadoopLine line;
  private List<ProcessNode> nodes;
  private String missing = "";
  private ProcessCluster cluster;
  private ZooKeeperEnsemble zooKeeper;
  private HttpClient http;
  private int port;

  private SecureSetting(Path temp) {
    this.temp = temp;
  }

  static SecureSetting start(Path temp, String version) throws Exception {
    SecureSetting setting = new SecureSetting(temp);
    try {
      setting.line = HadoopLine.resolve(version, DATA.resolve("hadoop-lines"));
      setting.start();
    } catch (UnresolvedHadoopException e) {
      setting.missing = e.getMessage();
    } catch (Exception | Error e) {
      setting.close();
      throw e;
    }
    return setting;
  }

  private void start() throws Exception {
    nodes =
        IntStream.rangeClosed(1, 3)
            .mapToObj(
                i ->
                    new ProcessNode(
                        "dn" + i, "rack" + i, List.of(StorageType.DISK, StorageType.SSD)))
            .toList();
    site = new SecureSite(temp.resolve("site"), nodes.stream().map(ProcessNode::host).toList());
    site.keytab("thermocline", principal());
    site.keytab("thermocline-mover", "thermocline-mover/localhost@" + SecureSite.REALM);
    for (String user : PEOPLE) {
      site.keytab(user, user);
    }
    trust();
    ProcessCluster.Builder builder =
        ProcessCluster.builder(line)
            .plugin(ProcessCluster.codeOf(ThermoclinePlacementPolicy.class))
            .plugin(site.web().toString())
            .flag("-D" + SecureSite.KRB5 + "=" + site.krb5())
            .setting(
                "hadoop.user.group.static.mapping.overrides",
                "hdfs=supergroup;thermocline-mover=supergroup;"
                    + (IS_MOVER_APART ? "thermocline=people;" : "thermocline=supergroup;")
                    + "alice=people;ann=people;vera=people;eve=none;hive=none;root=supergroup")
            .setting("dfs.cluster.administrators", "hdfs,thermocline")
            .setting("hadoop.proxyuser.hive.users", "vera,alice")
            .setting("hadoop.proxyuser.hive.hosts", "127.0.0.1")
            .setting("hadoop.proxyuser.thermocline.users", "alice,ann,vera,eve,hive")
            .setting("hadoop.proxyuser.thermocline.hosts", "127.0.0.1")
            .keepLogs(DATA.resolve("process-logs").resolve("secure-" + line.version()))
            .capacity(256L << 20);
    site.settings().forEach(builder::setting);
    nodes.forEach(builder::node);
    Configuration login = new Configuration();
    site.settings().forEach(login::set);
    UserGroupInformation.setConfiguration(login);
    UserGroupInformation.loginUserFromKeytab(
        "hdfs/localhost@" + SecureSite.REALM, site.keytab("hdfs").toString());
    cluster = builder.start();
    // For the journal.
    org.apache.hadoop.fs.Path own = new org.apache.hadoop.fs.Path("/thermocline");
    cluster.client().mkdirs(own);
    cluster.client().setOwner(own, "thermocline", null);
    zooKeeper = ZooKeeperEnsemble.start(Files.createDirectories(temp.resolve("zk")), saslFlags());
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
  }

  private List<String> saslFlags() throws IOException, NoSuchAlgorithmException {
    Path jaas =
        Files.writeString(
            temp.resolve("jaas.conf"),
            """
            Server {
              com.sun.security.auth.module.Krb5LoginModule required
              useKeyTab=true storeKey=true doNotPrompt=true
              keyTab="%s" principal="zookeeper/localhost@%s";
            };
            """
                .formatted(site.keytab("zookeeper"), SecureSite.REALM));
    return List.of(
        "-D" + SecureSite.KRB5 + "=" + site.krb5(),
        "-Djava.security.auth.login.config=" + jaas,
        "-Dzookeeper.authProvider.1="
            + "org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
        "-Dzookeeper.DigestAuthenticationProvider.superDigest="
            + DigestAuthenticationProvider.generateDigest(ZOOKEEPER_SUPERUSER));
  }

  /** Has this process trust the site's certificate. */
  private void trust() throws Exception {
    KeyStore trusted = KeyStore.getInstance("JKS");
    try (InputStream in = Files.newInputStream(site.trusted())) {
      trusted.load(in, site.password().toCharArray());
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, managers.getTrustManagers(), null);
    HttpsURLConnection.setDefaultSSLSocketFactory(tls.getSocketFactory());
    http = HttpClient.newBuilder().sslContext(tls).build();
  }

  /** The host, with what is packaged; names of the page are this cluster's. */
  Host host() throws IOException {
    Host host = new Host(temp, line, cluster.directory().resolve("conf/client"));
    String web = cluster.configuration().get("dfs.namenode.https-address").replaceAll(".*:", "");
    host.flags(
        "-D"
            + SecureSite.KRB5
            + "="
            + site.shortKrb5()
            + " -Djdk.net.hosts.file="
            + site.hosts()
            // Its own floor is a minute, below which it tries again without a pause.
            + " -Dzookeeper.kerberos.minReLoginTimeMs=1000"
            + " -Djavax.net.ssl.trustStore="
            + site.trusted());
    host.replace("https://namenode1:9871", "https://localhost:" + web);
    // There is one NameNode here.
    host.replace(", \"https://namenode2:9871\"]", "]");
    host.replace(
        "/etc/security/keytabs/thermocline.service.keytab", site.keytab("thermocline").toString());
    host.replace(
        "/etc/security/keytabs/thermocline-mover.service.keytab",
        site.keytab("thermocline-mover").toString());
    host.replace("/run/", temp.resolve("run") + "/");
    give(
        OsUser.ordinary(),
        site.keytab("thermocline"),
        site.keytab("spnego"),
        site.store(),
        site.passwordFile());
    give(OsUser.ordinaryBeside(), site.keytab("thermocline-mover"));
    host.replace("/etc/security/keytabs/spnego.service.keytab", site.keytab("spnego").toString());
    host.replace("/etc/thermocline/server.p12", site.store().toString());
    host.replace("/etc/thermocline/server.password", site.passwordFile().toString());
    host.replace("zk1:2181,zk2:2181,zk3:2181", zooKeeper.addresses());
    host.replace("hdfs://nameservice1", cluster.uri().toString());
    host.replace("tiering1.example.com:8480", "localhost:" + port);
    host.replace(
        "auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log, /mnt/namenode2/hdfs-audit.log]",
        "auditLogs: ["
            + cluster.directory().resolve("logs/namenode.log")
            + "]\n  poll: 100ms\n  openWindow: 0s\n  image: {from: \"https://localhost:"
            + web
            + "\"}");
    Files.copy(
        site.web().resolve("ssl-client.xml"),
        cluster.directory().resolve("conf/client/ssl-client.xml"));
    // The page begins in shadow mode.
    host.replace(
        "act: {mode: shadow, apply: [], approval: one}",
        "decide: {every: 1s}\nact: {mode: apply, approval: one}");
    try (OutputStream out = Files.newOutputStream(temp.resolve("thermocline-it.tar.gz"))) {
      InstalledTree.tarGz(ROOT, path -> !path.startsWith("hadoop/"), out);
    }
    return host;
  }

  /** As an administrator keeps secrets: for that user, and for nobody else but root. */
  private static void give(Optional<OsUser> user, Path... files) throws IOException {
    for (Path file : files) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
      if (user.isPresent()) {
        user.get().own(file);
      }
    }
  }

  List<Page.Block> pages() throws IOException {
    return Page.operating(ROOT);
  }

  /** Of the service, as ZooKeeper has it. */
  String principal() {
    return "thermocline/localhost@" + SecureSite.REALM;
  }

  /** Acts as a user with a ticket. */
  <T> T as(String user, PrivilegedExceptionAction<T> action) throws Exception {
    return user(user).doAs(action);
  }

  UserGroupInformation user(String name) throws IOException {
    UserGroupInformation user = users.get(name);
    if (user == null) {
      String principal = name.equals("thermocline") ? principal() : name + "@" + SecureSite.REALM;
      user =
          UserGroupInformation.loginUserFromKeytabAndReturnUGI(
              principal, site.keytab(name).toString());
      users.put(name, user);
    }
    user.checkTGTAndReloginFromKeytab();
    return user;
  }

  ProcessCluster cluster() {
    return cluster;
  }

  /** Names of the DataNodes. */
  List<String> nodes() {
    return nodes.stream().map(ProcessNode::name).toList();
  }

  /** Why there is no cluster. */
  String missing() {
    return missing;
  }

  SecureSite site() {
    return site;
  }

  ZooKeeperEnsemble zooKeeper() {
    return zooKeeper;
  }

  HttpClient http() {
    return http;
  }

  String service() {
    return "https://localhost:" + port;
  }

  @Override
  public void close() throws IOException, KrbException {
    if (cluster != null) {
      cluster.close();
    }
    if (zooKeeper != null) {
      zooKeeper.close();
    }
    if (site != null) {
      site.close();
    }
    UserGroupInformation.reset();
  }
}
